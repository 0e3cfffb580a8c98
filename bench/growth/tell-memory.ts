import { writeFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded into a service: at SIGUSR2 it writes what it holds to the file that is named, which is not there before. The heap is what
 * is left after a collection.
 */
const path = process.env.BENCH_MEMORY
if (path !== undefined && isMainThread)
  process.on('SIGUSR2', () => {
    const rssBytes = process.memoryUsage.rss()
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    writeFileSync(path, JSON.stringify({ rssBytes, heapBytes: process.memoryUsage().heapUsed }))
  })
