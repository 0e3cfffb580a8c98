import { type Log, openLog } from './log.ts'
import { reads, roundsOf } from './rates.ts'

/**
 * Opens a log in a process of its own, which answers a round of each read: `node bench/growth/held-case.ts <log as JSON>`. Prints what
 * it holds as JSON. The heap is what is left after a collection (`--expose-gc`).
 */
const log: Log = JSON.parse(process.argv[2] ?? '')
const startedAt = performance.now()
const opened = openLog(log)
const openMs = performance.now() - startedAt
const rounds = roundsOf(opened)
for (const kind of reads) await rounds[kind]()
const rssBytes = process.memoryUsage.rss()
globalThis.gc?.()
console.log(JSON.stringify({ openMs, rssBytes, heapBytes: process.memoryUsage().heapUsed }))
opened.close()
