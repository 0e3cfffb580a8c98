import type { Process, Scheduler } from './scheduler.ts'

/** Running processes by name. A dead one is replaced by a fresh one on its next use. */
export const processTable = <A extends { readonly process: Process }>(
  open: (name: string) => A,
  scheduler: Scheduler,
  note: (line: string) => void,
) => {
  const opened = new Map<string, A>()
  const processNamed = (name: string): A => {
    const known = opened.get(name)
    if (known?.process.isAlive === true) return known
    const fresh = open(name)
    opened.set(name, fresh)
    return fresh
  }
  const restart = (name: string): void => {
    note(`${name} is restarted`)
    scheduler.kill(processNamed(name).process)
  }
  return { processNamed, restart }
}
