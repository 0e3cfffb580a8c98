import { parentPort, workerData } from 'node:worker_threads'
import { openDatabase } from './database.ts'
import { pageFindings } from './page-findings.ts'

// The entry point of the thread that checks the pages of a file: its input is the file, its only message the findings.
const sql = openDatabase(workerData.path, { durability: 'full', readOnly: true })
parentPort?.postMessage(pageFindings(sql))
sql.close()
