import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startProcess } from '@quittance/http/testing/child-process'
import type { Comparison } from '../comparing/comparison.ts'
import { rateOf } from '../load.ts'
import { openPrivateShop } from '../private-shop.ts'
import { loadsOf } from '../shop.ts'

const bareProgram = fileURLToPath(new URL('../bare-server.ts', import.meta.url))

const startBare = async () => {
  const child = spawn(process.execPath, [bareProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = await once(child.stdout, 'data')
  return { url: String(line).trim(), kill: () => child.kill('SIGKILL') }
}

/** One kind of request to the service, beside a bare route that reads or writes. */
const request = (
  kind: 'GET access' | 'GET payment' | 'POST customers' | 'POST checkout',
  texts: Pick<Comparison, 'name' | 'measures' | 'aim' | 'missedBecause'>,
): Comparison => ({
  ...texts,
  file: 'http.ts',
  unit: 'requests per second',
  ours: `\`${kind}\``,
  peer: kind.startsWith('GET') ? 'bare Fastify `GET`' : 'bare Fastify `POST`',
  packages: ['fastify', 'autocannon'],
  open: async ({ folder, amount }) => {
    const [bare, service] = [await startBare(), await startProcess(join(folder, 'data'))]
    const load = (await loadsOf(service))[kind]
    if (load === undefined) throw new Error(`no request ${kind}`)
    const { body } = load
    const seconds = amount(4)
    return {
      ours: () => rateOf(load, seconds),
      peer: () => rateOf({ url: bare.url, ...(body === undefined ? {} : { body }) }, seconds),
      close: async () => {
        bare.kill()
        await service.kill()
      },
    }
  },
})

const callers = '32 callers on the same cores ask again as soon as they are answered.'

export const access = request('GET access', {
  name: 'access',
  measures: `May this customer use this product? The service checks the key and its scope, and answers from what the log says now. The peer answers a constant. ${callers}`,
  aim: { _tag: 'ratio', atLeast: 0.5, later: 0.8 },
  missedBecause:
    'in a profile of the service without its background work, 9 % of the time goes to SQLite (whether others have written, and the sandbox’s clock), 6 % to the line of the log, and most of the rest to handing the answer to the socket, which bare Fastify does too, and to what a request passes: finding the key and its scope, metrics, traces, encoding. Background work comes on top, since it shares the thread. Fewer steps for each request, and background work in a thread or process of its own, would close most of it.',
})

export const access2: Comparison = {
  name: 'access-2',
  file: 'http.ts',
  measures: `The same of a service of two processes (\`QUITTANCE_PROCESSES=2\`), for a customer who has bought nothing, on a network outside of it. The peer is one process: where other work takes much of both cores, two processes get a larger share of them than one, so compare with \`access\` only on a free machine. ${callers}`,
  unit: 'requests per second',
  ours: '`GET access`, two processes',
  peer: 'bare Fastify `GET`',
  packages: ['fastify', 'autocannon'],
  aim: { _tag: 'none' },
  missedBecause: null,
  open: async ({ folder, amount }) => {
    const [bare, shop] = [await startBare(), await openPrivateShop(join(folder, 'data'), 2)]
    const seconds = amount(4)
    return {
      ours: () => rateOf(shop.access, seconds),
      peer: () => rateOf({ url: bare.url }, seconds),
      close: async () => {
        bare.kill()
        await shop.kill()
      },
    }
  },
}

export const payment = request('GET payment', {
  name: 'payment',
  measures: `One payment with all of its fields, read from its own stream. The peer answers a constant. ${callers}`,
  aim: { _tag: 'none' },
  missedBecause: null,
})

export const customer = request('POST customers', {
  name: 'customer',
  measures: `A new customer: a key of its own in the vault, sealed fields, and a claim on the email, all durable before the answer. The peer parses the same body and answers it, and writes nothing. ${callers}`,
  aim: { _tag: 'none' },
  missedBecause: null,
})

export const checkout = request('POST checkout', {
  name: 'checkout',
  measures: `A new checkout, durable before the answer. The peer parses the same body and answers it, and writes nothing. ${callers}`,
  aim: { _tag: 'ratio', atLeast: 0.25, later: 0.5 },
  missedBecause:
    'the peer writes nothing. In a profile of the service, more than a third of the time goes to SQLite, in the thread that answers: the reads that decide, the events, the rows of read models with their indexes, and commits, which wait for the disk. The rest goes to what each request passes, to decoding, hashes and encoding. Writing and committing in another thread would free this one; fewer rows and indexes for each checkout would shorten both.',
})
