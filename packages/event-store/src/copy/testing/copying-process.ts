import { copyLog } from '../copy-log.ts'
import { openStore, openTarget } from './logs.ts'

/** Copies a log and prints progress. Arguments: source and target. */
const [from = '', to = ''] = process.argv.slice(2)
const [source, target] = [await openStore(from), await openTarget(to)]
const onProgress = (events: number): void => void process.stdout.write(`${events}\n`)
const outcome = await copyLog({ source: source.log, target: target.log, onProgress })()
await target.close()
await source.close()
process.exitCode = outcome._tag === 'Right' ? 0 : 1
