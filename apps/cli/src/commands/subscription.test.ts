import { join } from 'node:path'
import {
  defaultPolicy,
  hourMs,
  minuteMs,
  nextStep,
  Subscription,
  SubscriptionId,
  secondMs,
  unixMs,
} from '@quittance/domain'
import { exampleId } from '@quittance/domain/testing'
import { attemptOf, begun, daily, failed, inLedgerAt } from '@quittance/domain/testing/subscription-examples'
import { lifeOf } from '@quittance/domain/testing/subscription-life'
import { sqliteEventStore } from '@quittance/event-store/sqlite'
import { inlineProjections } from '@quittance/projections'
import * as E from 'fp-ts/lib/Either.js'
import { type TestDirectory, testDirectory } from '../testing/run-cli.ts'

describe('subscription list and subscription allow', () => {
  let directory: TestDirectory
  beforeAll(() => {
    directory = testDirectory()
  })
  afterAll(() => directory.remove())
  const id = exampleId(SubscriptionId, 1)
  const subscription = (...words: ReadonlyArray<string>) => directory.inside('subscription', ...words)
  const because = ['--reason', 'the token was paused']
  const refusal = (...words: ReadonlyArray<string>) => directory.refusal('subscription', ...words)
  /** Three charges have failed in a ledger an hour ago, and the fourth was stopped. */
  const stoppedAnHourAgo = () => {
    const due = Math.floor((Date.now() - hourMs) / secondMs) * secondMs
    const life = lifeOf(begun(unixMs(due - 24 * hourMs), { terms: daily }))
    for (const minutes of [0, 1, 2, 3]) {
      const at = unixMs(due + minutes * minuteMs)
      life.give({ type: 'RequestRetry', cause: 'demand', at })
      const step = nextStep(life.state, at, defaultPolicy)
      if (step._tag !== 'attempt_charge') throw new Error(`it wants to ${step._tag}`)
      life.give(attemptOf(step.charge, at))
      const { n, k } = step.charge
      life.give({ ...failed(n, k, 'balance_too_low', at), includedIn: inLedgerAt(at).ledger })
    }
    return { history: life.history, until: new Date(life.state.stoppedUntil ?? 0).toISOString() }
  }
  const write = async ({ history }: ReturnType<typeof stoppedAnHourAgo>): Promise<void> => {
    const path = join(directory.path, 'quittance.db')
    const store = sqliteEventStore({ path, clock: Date.now, projections: inlineProjections })
    const stream = `${Subscription.category}-${id}`
    const context = {
      merchantId: 'mer_1',
      environment: 'testnet' as const,
      commandId: 'c',
      correlationId: 'c',
      causationId: null,
      actor: 'test',
      occurredAt: Date.now(),
    }
    const slice = await store.readStream(stream)()
    if (E.isLeft(slice)) throw new Error(slice.left._tag)
    const events = history.map((event, number) => ({
      id: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
      ...Subscription.events.encodeEvent(event),
      context,
    }))
    const appended = await store.append(stream, slice.right.head, events)()
    if (E.isLeft(appended)) throw new Error(appended.left._tag)
    await store.close()
  }

  it.each([[['sub_1', ...because]], [[id]], [[id, '--reason', ' ']], [[...because]]])(
    'rejects a missing or malformed value: subscription allow %j',
    async (words) => {
      expect(await refusal('allow', ...words)).toEqual([2, 'usage'])
    },
  )

  it('lists stopped charges, and allows them again', async () => {
    expect((await subscription('list')).stdout).toBe('No subscription needs a decision.\n')
    expect(await refusal('allow', id, ...because)).toEqual([1, 'subscription_not_found'])
    const stopped = stoppedAnHourAgo()
    await write(stopped)
    expect(await directory.json('subscription', 'list')).toEqual([
      { subscription_id: id, merchant_id: 'mer_1', status: 'past_due', stopped_until: stopped.until, stuck: null },
    ])
    const { stdout } = await subscription('list')
    expect(stdout).toBe(`${id} (mer_1) is past_due: charges are stopped until ${stopped.until}\n`)
    expect(await directory.json('subscription', 'list', '--environment', 'mainnet')).toEqual([])
    expect(await refusal('allow', id, ...because, '--environment', 'mainnet')).toEqual([1, 'subscription_not_found'])
    const allowed = { subscription_id: id, status: 'past_due', by: 'operator', reason: 'the token was paused' }
    expect(await directory.json('subscription', 'allow', id, ...because)).toEqual({ ...allowed, was_stopped: true })
    expect((await subscription('allow', id, ...because)).stdout).toBe(
      `Charges of ${id} were not stopped. It is past_due.\n`,
    )
    expect(await directory.json('subscription', 'list')).toEqual([])
    const history = await directory.opened(({ billing }) =>
      billing.subscriptions.history({ merchantId: 'mer_1', environment: 'testnet' }, id)(),
    )
    const { by, reason } = allowed
    expect(E.isRight(history) ? history.right.slice(-2) : history.left).toMatchObject([
      { type: 'AttemptsAllowed', actor: 'operator', data: { by, reason } },
      { type: 'RetryRequested', actor: 'operator', data: { cause: 'demand' } },
    ])
  })
})
