import { configFrom } from '@quittance/host'
import * as E from 'fp-ts/lib/Either.js'
import { serve } from './serve.ts'

const config = configFrom(process.env)
const served = E.isLeft(config) ? config : await serve(config.right)
if (E.isLeft(served)) {
  for (const { variable, expected } of served.left) process.stderr.write(`${variable} must be ${expected}\n`)
  process.exit(1)
}

const { greeting, close } = served.right
if (greeting !== null) process.stdout.write(greeting)
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void close().then(() => process.exit(0)))
}
