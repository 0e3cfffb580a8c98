import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { asText, CheckoutId, count, InvoiceId, unixMs } from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { pino } from 'pino'
import { type Alarm, logAlarm } from './alarm.ts'
import { logStream } from './log-stream.ts'

const [checkout, invoice] = [exampleId(CheckoutId, 1), exampleId(InvoiceId, 2)]
const item = { merchantId: 'mer_1', environment: 'testnet' as const, id: `checkout-${checkout}` }
const writing = fileURLToPath(new URL('./testing/logging-process.ts', import.meta.url))
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
  const log = pino({}, logStream({ write: (line) => void lines.push(line), flush: () => void lines.push('flushed') }))
  beforeEach(() => void lines.splice(0))

  it('holds the beginning of the ids of sessions, in alarms as elsewhere, and never a whole one', () => {
    for (const alarm of alarms) logAlarm(log, alarm)
    log.error({ err: new Error(`${invoice} is not paid`) }, `look at ${checkout}`)
    const shown = lines.join('')
    expect([checkout, invoice].filter((id) => shown.includes(id))).toEqual([])
    expect([checkout, invoice].map((id) => shown.split(`${id.slice(0, 12)}…`).length - 1)).toEqual([3, 3])
    for (const line of lines) if (line !== 'flushed') expect(() => JSON.parse(line)).not.toThrow()
  })

  it('lets lines wait for each other, but for warnings and errors and what came before them', () => {
    log.info('one')
    log.child({ reqId: 'req_1' }).warn('two')
    log.info('three')
    log.error('four')
    expect(lines.map((line) => (line === 'flushed' ? line : JSON.parse(line).msg))).toEqual([
      ...['one', 'two', 'flushed'],
      ...['three', 'four', 'flushed'],
    ])
  })

  /** What a process has written that logs ten lines and then ends so. */
  const written = async (end: string): Promise<ReadonlyArray<string>> => {
    const child = spawn(process.execPath, ['--no-warnings', writing, end], { stdio: ['ignore', 'pipe', 'ignore'] })
    let output = ''
    child.stdout.on('data', (chunk) => {
      output += String(chunk)
      if (end === 'stays') child.kill('SIGKILL')
    })
    await once(child, 'close')
    return output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg)
  }
  const ten = Array.from({ length: 10 }, (_, n) => `line ${n}`)

  it.each([
    ['comes to its end', 'returns'],
    ['exits', 'exits'],
    ['throws what nobody catches', 'throws'],
    ['leaves a rejection unhandled', 'rejects'],
    ['goes on', 'stays'],
  ])('is complete where a process %s', async (_, end) => {
    expect(await written(end)).toEqual(ten)
  })

  it('does not keep a process whose output cannot be written from ending', async () => {
    const full = openSync('/dev/full', 'w')
    const child = spawn(process.execPath, ['--no-warnings', writing, 'exits'], { stdio: ['ignore', full, 'inherit'] })
    expect(await once(child, 'close')).toEqual([0, null])
    closeSync(full)
  })
})
