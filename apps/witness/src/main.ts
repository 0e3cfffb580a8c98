#!/usr/bin/env node
import { printVerifierKey } from '@quittance/transparency'
import * as E from 'fp-ts/lib/Either.js'
import { configFrom } from './config.ts'
import { openWitness, type UnfitDirectory } from './open-witness.ts'
import { witnessServer } from './server.ts'

const textOf = (problem: UnfitDirectory): string => {
  switch (problem._tag) {
    case 'KeyOpenToOthers':
      return 'Others may read key.pem. If nobody has, restrict it: chmod 600 key.pem'
    case 'KeyNotEd25519':
      return 'key.pem holds no Ed25519 key'
    case 'KeyMissing':
      return 'key.pem is missing beside state.sqlite. Without it, this witness cannot go on: start a new one, with another name'
    case 'StateMissing':
      return 'state.sqlite is missing beside key.pem. A witness that forgot what it cosigned must not cosign: start a new one, with another name'
    case 'OtherName':
      return `This directory belongs to the witness ${problem.name}. Another name needs another key, and so another directory`
    case 'OtherKey':
      return 'key.pem is not the key that state.sqlite belongs to'
  }
}

const fail = (text: string): never => {
  process.stderr.write(`${text}\n`)
  process.exit(1)
}

const report = (cause: unknown): void => {
  process.stderr.write(`${cause instanceof Error ? cause.stack : String(cause)}\n`)
}

const run = async (): Promise<void> => {
  const config = configFrom(process.env)
  if (E.isLeft(config))
    return fail(config.left.map(({ variable, expected }) => `${variable} must be ${expected}`).join('\n'))
  const { name, dataDir, logs, rateLimit, host, port } = config.right
  const witness = openWitness(dataDir, name)
  if (E.isLeft(witness)) return fail(textOf(witness.left))
  const server = await witnessServer(witness.right, { logs, rateLimit, clock: Date.now, report })
  const address = await server.listen({ host, port })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      void server.close().then(() => {
        witness.right.state.close()
        process.exit(0)
      })
    })
  process.stdout.write(`${printVerifierKey(witness.right.key)} listens on ${address}\n`)
}

await run().catch((cause: unknown) => {
  report(cause)
  process.exit(1)
})
