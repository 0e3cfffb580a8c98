import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { takeParts } from './take-parts.ts'

// The entry point of a thread of `isSoundInParts`: its input is the file, the shared counter and the parts; it answers each part.
const { path, taken, end, perPart } = workerData
const sql = openDatabase(path, { durability: 'full', readOnly: true })
for await (const part of takeParts(sql, taken, end, perPart)) parentPort?.postMessage(part)
sql.close()
