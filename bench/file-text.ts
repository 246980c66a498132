/** What every subject's `read_file` finds. */
export const fileText = 'one\ntwo\nthree\n'.repeat(10)
