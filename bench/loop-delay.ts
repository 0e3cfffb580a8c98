import { subscribe } from 'node:diagnostics_channel'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a process and its threads: writes the most processor time, in ms, that one of them took between two turns of a
 * timer, from its first connection on, to the file that is named, which is not there before. Other than the time that passes, it says nothing of other processes.
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
  if (path === undefined || (!isMainThread && !isConnected)) return
  const others = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0
  writeFileSync(path, String(Math.max(others, most / 1_000)))
})
