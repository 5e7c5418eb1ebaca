/* SPDX-License-Identifier: MIT */
/* Does nothing, but is linked to every library that memwatch is linked to: what starting costs before any of
 * memwatch's own work. */
int main(void)
{
	return 0;
}
