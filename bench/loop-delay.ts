import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Preloaded into a process: writes how long its event loop was held at most, in ms, to the file that is named. */
const path = process.env.BENCH_LOOP_DELAY
const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()
process.on('exit', () => {
  if (path !== undefined) writeFileSync(path, String(delay.max / 1e6))
})
