for epoch in 1 2 3; do
	sleep 0.1 # or: train for one epoch
	memwatch mark
done
