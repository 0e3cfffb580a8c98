import { asText, CheckoutId, count, InvoiceId, unixMs } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { pino } from 'pino'
import { type Alarm, logAlarm } from './alarm.ts'
import { logStream } from './log-stream.ts'

const [checkout, invoice] = [exampleId(CheckoutId, 1), exampleId(InvoiceId, 2)]
const item = { merchantId: 'mer_1', environment: 'testnet' as const, id: `checkout-${checkout}` }
const alarms: ReadonlyArray<Alarm> = [
  {
    _tag: 'MerchantSetBack',
    ...item,
    ...{ loop: 'follow_up', failure: 'Defect', cause: `${checkout} cannot be read`, attempts: 1 },
    ...{ firstAt: unixMs(1), nextAt: unixMs(2) },
  },
  {
    _tag: 'RolledBack',
    reasons: [
      {
        _tag: 'EventLacking',
        ...{
          stream: asText(`invoice-${invoice}`),
          revision: count(1),
          position: asText('2'),
          hash: asText('00'),
          at: unixMs(1),
        },
      },
    ],
  },
]

describe('the log of a process', () => {
  const lines: Array<string> = []
  const log = pino({}, logStream({ write: (line) => void lines.push(line) }))

  it('holds the beginning of the ids of sessions, in alarms as elsewhere, and never a whole one', () => {
    for (const alarm of alarms) logAlarm(log, alarm)
    log.error({ err: new Error(`${invoice} is not paid`) }, `look at ${checkout}`)
    const shown = lines.join('')
    expect([checkout, invoice].filter((id) => shown.includes(id))).toEqual([])
    expect([checkout, invoice].map((id) => shown.split(`${id.slice(0, 12)}…`).length - 1)).toEqual([3, 3])
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow()
  })
})
