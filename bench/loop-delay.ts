import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'

/**
 * Preloaded into a process: writes the most processor time, in ms, that its main thread took between two turns of a
 * timer, from its first connection on, to the file that is named. Other than the time that passes, it says nothing of other processes.
 */
const path = process.env.BENCH_LOOP_DELAY
let [last, most] = [process.threadCpuUsage(), 0]
const turn = (): void => {
  const { user, system } = process.threadCpuUsage(last)
  most = Math.max(most, user + system)
  last = process.threadCpuUsage()
}
const begin = (): void => {
  last = process.threadCpuUsage()
  most = 0
}
let isConnected = false
subscribe('net.client.socket', () => {
  if (!isConnected) begin()
  isConnected = true
})
setInterval(turn, 5).unref()
process.on('exit', () => {
  turn()
  if (path !== undefined) writeFileSync(path, String(most / 1_000))
})
