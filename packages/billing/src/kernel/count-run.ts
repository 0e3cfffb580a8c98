/**
 * How many things there are that are numbered from 0 without a gap, each found by its number alone. The last is found in steps
 * that double and then halve.
 */
export const countRun = async (exists: (number: number) => Promise<boolean>): Promise<number> => {
  if (!(await exists(0))) return 0
  let [known, unknown] = [0, 1]
  while (await exists(unknown)) [known, unknown] = [unknown, unknown * 2]
  while (unknown - known > 1) {
    const middle = Math.floor((known + unknown) / 2)
    if (await exists(middle)) known = middle
    else unknown = middle
  }
  return unknown
}
