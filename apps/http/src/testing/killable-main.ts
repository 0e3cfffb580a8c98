import { flushCompileCache } from 'node:module'
import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { setCrashPoints } from './crash-points.ts'
import { serve } from './serve.ts'

// The service as `main.ts` has it, but for its crash points, and its address, which it tells the process that forked it.
setCrashPoints()
process.once('disconnect', () => process.exit())
const config = configFrom(process.env)
const served = E.isLeft(config) ? config : await serve(config.right)
if (E.isLeft(served)) throw new Error(JSON.stringify(served.left))
// What is killed cannot write it at its end, and the next one starts sooner with it.
flushCompileCache()
process.send?.(served.right.url)
