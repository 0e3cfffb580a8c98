import { parentPort, workerData } from 'node:worker_threads'
import { verify } from './verify.ts'

// The entry point of `replay`'s thread: its input is the path, its only message the verification.
const { path, expected } = workerData
parentPort?.postMessage(await verify(path, { expected }))
