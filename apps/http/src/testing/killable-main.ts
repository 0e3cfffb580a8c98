import { flushCompileCache } from 'node:module'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { setCrashPoints } from './crash-points.ts'
import { serve } from './serve.ts'

// The service of `main.ts` with crash points. It sends its address to the process that forked it.
setCrashPoints()
process.once('disconnect', () => process.exit())
const config = configFrom(process.env)
const served = E.isLeft(config) ? config : await serve(config.right)
if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
// A killed process cannot write it at its end, and it speeds up the next start.
flushCompileCache()
process.send?.(served.right.url)
