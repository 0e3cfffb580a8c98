import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const message = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0]

/**
 * Runs a program in several processes at once, and answers the sum of what they count. Each says when it is ready,
 * begins when it is told, and then says its count. `parametersOf` is given the number of the process.
 */
export const countByProcesses = async (
  program: URL,
  processes: number,
  parametersOf: (number: number) => ReadonlyArray<string>,
): Promise<number> => {
  const children: Array<ChildProcess> = []
  for (let number = 0; number < processes; number += 1) {
    const child = fork(program, parametersOf(number), { execArgv: ['--no-warnings'] })
    // One after the other: the first makes what is missing.
    await message(child)
    children.push(child)
  }
  const counts = Promise.all(children.map(message))
  const ends = Promise.all(children.map((child) => once(child, 'exit')))
  for (const child of children) child.send('go')
  const sum = (await counts).reduce<number>((total, count) => total + Number(count), 0)
  await ends
  return sum
}
