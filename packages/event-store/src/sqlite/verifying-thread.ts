import { parentPort, workerData } from 'node:worker_threads'
import { verify } from './verify.ts'

// The first lines of the thread that `replay` starts: its only input is the path, its only message the verification.
const { path, expected } = workerData
parentPort?.postMessage(await verify(path, { expected }))
