import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** The processor time that a process has used so far, with all its threads, in milliseconds. Linux alone has these files. */
export const processorMsOf = (pid: number): number => {
  // The second field is the name in brackets, which may hold spaces; the 14th and 15th are the ticks of user and system.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (1_000 * (Number(fields[11]) + Number(fields[12]))) / ticksPerSecond
}
