import { readFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { sender, signedHeaders } from '@quittance/billing'
import { asText, CheckoutId, unixMs } from '@quittance/domain'
import { exampleId, merchantAccount } from '@quittance/domain/testing'
import * as E from 'fp-ts/lib/Either.js'
import { type Alarm, alarmMeanings } from './alarm.ts'
import { snakeCase } from './alarm-body.ts'
import { alarmWebhook } from './alarm-webhook.ts'
import { configFrom } from './config.ts'
import { freezeLook } from './freeze-watch.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const lowFunds: Alarm = { _tag: 'FeeSourceCannotPay', account: merchantAccount }
const setBack = {
  ...{ merchantId: 'mer_1', environment: 'testnet' as const, loop: 'follow_up' as const, failure: 'Defect' as const },
  ...{ id: `checkout-${exampleId(CheckoutId, 1)}`, cause: 'x', attempts: 1, firstAt: unixMs(1), nextAt: unixMs(2) },
}

type Request = { readonly headers: IncomingHttpHeaders; readonly text: string }

/** The operator's server: it answers each request as it is told to. */
const withOperator = async (
  answer: (nth: number) => number,
  work: (operator: {
    readonly raise: (alarm: Alarm) => void
    readonly requests: ReadonlyArray<Request>
    readonly lines: ReadonlyArray<string>
    readonly arrived: (count: number) => Promise<void>
    readonly logged: (count: number) => Promise<void>
    readonly close: () => Promise<void>
  }) => Promise<void>,
): Promise<void> => {
  const requests: Array<Request> = []
  const lines: Array<string> = []
  const waiting = new Set<() => void>()
  const changed = (): void => {
    for (const look of waiting) look()
  }
  const until = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!holds()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).join('')
    requests.push({ headers: request.headers, text })
    response.writeHead(answer(requests.length)).end()
    changed()
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  const write = (_: object, text: string): void => {
    lines.push(text)
    changed()
  }
  const webhook = alarmWebhook({
    endpoint: { url: `http://127.0.0.1:${port}/alarms`, secret },
    service: () => 'https://pay.example.org',
    sender: sender(),
    log: { info: write, warn: write, error: write },
    pausesMs: [1, 1, 1],
  })
  try {
    await work({
      raise: (alarm) => webhook.post({ alarm, environment: 'mainnet' }),
      requests,
      lines,
      arrived: (count) => until(() => requests.length >= count),
      logged: (count) => until(() => lines.length >= count),
      close: webhook.close,
    })
  } finally {
    await webhook.close()
    server.close()
  }
}

const bodyOf = (request: Request | undefined) => JSON.parse(request?.text ?? '{}')

it('posts an alarm signed like a webhook, in plain English and with a code', () =>
  withOperator(
    () => 204,
    async ({ raise, requests, arrived }) => {
      raise(lowFunds)
      await arrived(1)
      const { headers, text } = requests[0] ?? { headers: {}, text: '' }
      const sent = { id: String(headers['webhook-id']), at: Number(headers['webhook-timestamp']) * 1_000 }
      expect(headers).toMatchObject(signedHeaders(sent.id, sent.at, text, [secret]))
      expect(JSON.parse(text)).toEqual({
        ...{ id: headers['webhook-id'], type: 'alarm', code: 'fee_source_cannot_pay', status: 'raised' },
        ...{ key: expect.stringMatching(/^[0-9a-f]{32}$/), environment: 'mainnet' },
        ...{ service: 'https://pay.example.org', details: { account: merchantAccount } },
        message: 'An account cannot pay the fees of outgoing money.',
        raised_at: expect.stringMatching(/Z$/),
      })
    },
  ))

it('repeats an alarm with the same id until the operator answers 2xx, and no more', () =>
  withOperator(
    (nth) => (nth < 3 ? 500 : 200),
    async ({ raise, requests, lines, arrived }) => {
      raise(lowFunds)
      await arrived(3)
      raise({ _tag: 'Sound' })
      await arrived(4)
      expect(requests.map((each) => bodyOf(each).code)).toEqual([...Array(3).fill('fee_source_cannot_pay'), 'sound'])
      expect(new Set(requests.slice(0, 3).map(({ text }) => text)).size).toBe(1)
      expect(lines).toEqual(['an alarm has not reached QUITTANCE_ALARM_URL; it is retried'])
    },
  ))

it('gives an alarm up after its retries, and says so in the log', () =>
  withOperator(
    () => 500,
    async ({ raise, requests, lines, logged }) => {
      raise(lowFunds)
      await logged(2)
      expect(requests).toHaveLength(4)
      expect(lines.at(-1)).toBe('an alarm has not reached QUITTANCE_ALARM_URL and is given up')
    },
  ))

it('sends the end of a trouble after its beginning and under the same key, without ids of sessions', () =>
  withOperator(
    (nth) => (nth === 1 ? 500 : 200),
    async ({ raise, requests, arrived }) => {
      raise({ _tag: 'MerchantSetBack', ...setBack })
      raise({ _tag: 'MerchantSetBackOver', ...setBack, id: 'another', attempts: 9 })
      await arrived(3)
      const [first, again, over] = requests.map(bodyOf)
      expect(again).toEqual(first)
      expect([first.status, over.status, over.key]).toEqual(['raised', 'over', first.key])
      expect(first.environment).toBe('testnet')
      expect(first.details).toMatchObject({ merchant_id: 'mer_1', first_at: 1 })
      expect(requests.map(({ text }) => text).join('')).not.toContain(exampleId(CheckoutId, 1))
    },
  ))

it('keeps at most a hundred alarms that wait, and never waits for the operator at the end', () =>
  withOperator(
    () => 500,
    async ({ raise, lines, close }) => {
      for (let n = 0; n < 150; n++) raise({ _tag: 'ProtocolUnknown', protocol: n, readable: 1 })
      expect(lines).toEqual(['QUITTANCE_ALARM_URL does not keep up: alarms are in this log alone'])
      await close()
      raise(lowFunds)
      expect(lines.filter((line) => line.includes('given up')).length).toBeLessThanOrEqual(100)
    },
  ))

it('raises an alarm for each freeze and for its end, once each', () => {
  const raised: Array<Alarm> = []
  const look = freezeLook((alarm) => raised.push(alarm))
  const freeze = { scope: 'payouts' as const, by: asText('Ada'), reason: asText('a theft'), at: unixMs(1) }
  const end = { ...freeze, reason: asText('it is over'), at: unixMs(2) }
  for (const inForce of [[], [freeze], [freeze]]) look({ inForce, ended: [] })
  for (let n = 0; n < 2; n++) look({ inForce: [], ended: [end] })
  expect(raised).toEqual([
    { _tag: 'Frozen', ...freeze },
    { _tag: 'FreezeOver', ...end },
  ])
})

it('the guide lists the code of every alarm', () => {
  const guide = readFileSync('docs/alarms.md', 'utf8')
  const codes = Object.keys(alarmMeanings).map(snakeCase)
  expect(codes.filter((code) => !guide.includes(`\`${code}\``))).toEqual([])
})

describe('the address of alarms', () => {
  const alarmsOf = (QUITTANCE_ALARM_URL: string, QUITTANCE_ALARM_SECRET: string) => {
    const config = configFrom({ QUITTANCE_ALARM_URL, QUITTANCE_ALARM_SECRET })
    return E.isLeft(config) ? config.left.map(({ variable }) => variable) : config.right.alarms
  }
  it.each(['https://alerts.example.org/x?y=1', 'http://127.0.0.1:9000/', 'https://10.0.0.7'])('may be %s', (url) =>
    expect(alarmsOf(url, secret)).toEqual({ url, secret }),
  )
  it.each(['http://10.0.0.7', 'ftp://x', 'alerts'])('may not be %s', (url) =>
    expect(alarmsOf(url, secret)).toEqual(['QUITTANCE_ALARM_URL']),
  )
  it.each(['', 'whsec_', 'whsec_c2hvcnQ=', Buffer.alloc(32).toString('base64')])('needs a secret, not %j', (text) =>
    expect(alarmsOf('https://alerts.example.org', text)).toContain('QUITTANCE_ALARM_SECRET'),
  )
})
