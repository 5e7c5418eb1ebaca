/* SPDX-License-Identifier: MIT */
/* Parse, open, loop, finish; the only place that chooses an exit status. */
int main(void)
{
	return 0;
}
