import { minuteMs, secondMs } from '@quittance/domain'
import { leafHash, parseCheckpoint, parseNote, verifyNote } from '@quittance/transparency'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, right } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { openShop } from '../../testing/shop.ts'
import { type LogKeeper, logKeeper, type TransparencyTrouble } from './log-keeper.ts'
import { type TestWitness, testWitness, toTestWitnesses } from './testing/test-witness.ts'

let network: TestNetwork
let folder: ReturnType<typeof temporaryFolder>
let platform: TestPlatform
let vkeys: ReadonlyArray<string>
let witnesses: ReadonlyArray<TestWitness>
let troubles: Array<TransparencyTrouble>
let elapsed = 0
let keeper: LogKeeper
const openKeeper = (): LogKeeper =>
  logKeeper(platform.services, {
    roles: null,
    witnesses,
    onTrouble: (trouble) => troubles.push(trouble),
    post: toTestWitnesses(witnesses),
    elapsed: () => elapsed,
  })
beforeEach(async () => {
  network = await startNetwork()
  folder = temporaryFolder()
  platform = await openPlatform(network, folder.path)
  vkeys = []
  witnesses = [testWitness('one.example', 1, () => vkeys), testWitness('two.example', 2, () => vkeys)]
  troubles = []
  elapsed = 0
  keeper = openKeeper()
  await openShop(platform)
  // The witnesses are told the key of the log, as its operator does it once.
  await done(platform.billing.transparency.sign)
  vkeys = present((await done(platform.billing.transparency.logs))[0]).vkeys
})
afterEach(async () => {
  await platform.close()
  await network.close()
  folder.remove()
})

const later = async (ms: number): Promise<void> => {
  elapsed += ms
  await done(keeper.step)
}
const minutes = (count: number): Promise<void> => later(count * minuteMs)
const shown = async () => present(await platform.billing.transparency.checkpoint())
const sizeIn = (note: string) => right(parseCheckpoint(right(parseNote(note)).text)).size
/** The names of the witnesses that have cosigned what is shown. */
const cosigners = async () => {
  const note = right(parseNote(await shown()))
  const keys = witnesses.map(({ key }) => key)
  const found = verifyNote(note, keys)
  return found._tag === 'Left' ? [] : found.right.map(({ key }) => key.name).sort()
}
const standings = () => keeper.standing().witnesses.map(({ name, answer }) => [name, answer._tag])

describe('the keeper of the log', () => {
  it('feeds the tree each second, and signs a checkpoint every five minutes', async () => {
    const { transparency } = platform.billing
    const first = await shown()
    await openShop(platform)
    await later(secondMs)
    const { size } = await done(transparency.feed)
    await openShop(platform)
    await minutes(4)
    expect(await shown()).toBe(first)
    await minutes(1)
    expect(sizeIn(await shown())).toBeGreaterThan(size)
    expect({ standing: keeper.standing().failure, troubles }).toEqual({ standing: null, troubles: [] })
  })

  it('adds the cosignatures of witnesses, which it asks from what they have cosigned before', async () => {
    await minutes(5)
    expect(await cosigners()).toEqual(['one.example', 'two.example'])
    const first = sizeIn(await shown())
    await openShop(platform)
    await minutes(5)
    expect(await cosigners()).toEqual(['one.example', 'two.example'])
    const second = sizeIn(await shown())
    expect(witnesses.map(({ asked }) => asked)).toEqual(
      [0, 1].map(() => [
        { oldSize: 0n, size: first },
        { oldSize: first, size: second },
      ]),
    )
    // Nothing is asked twice of a log that stands still.
    await minutes(5)
    expect(present(witnesses[0]).asked).toHaveLength(2)
  })

  it('finds out what a witness has cosigned that another process asked', async () => {
    await minutes(5)
    const first = sizeIn(await shown())
    await openShop(platform)
    keeper = openKeeper()
    await minutes(5)
    expect(await cosigners()).toEqual(['one.example', 'two.example'])
    const second = sizeIn(await shown())
    expect(present(witnesses[0]).asked.slice(1)).toEqual([
      { oldSize: 0n, size: second },
      { oldSize: first, size: second },
    ])
  })

  it('goes on without a witness that does not answer, and asks it again', async () => {
    const [one] = witnesses
    present(one).isGone = true
    await minutes(5)
    expect([await cosigners(), standings(), troubles]).toEqual([
      ['two.example'],
      [
        ['one.example', 'WitnessUnreachable'],
        ['two.example', 'Cosigned'],
      ],
      [],
    ])
    present(one).isGone = false
    await minutes(5)
    expect(await cosigners()).toEqual(['one.example', 'two.example'])
  })

  it('tells once that a witness has cosigned more than there is, and that one has cosigned another history', async () => {
    const [one, two] = witnesses
    present(one).latest = { size: 10_000n, root: leafHash(Buffer.from('later')) }
    present(two).latest = { size: 1n, root: leafHash(Buffer.from('another')) }
    await minutes(5)
    await minutes(5)
    expect(troubles).toEqual([
      { _tag: 'WitnessRefused', witness: 'one.example', status: 409, isBehind: true },
      { _tag: 'WitnessRefused', witness: 'two.example', status: 422, isBehind: false },
    ])
    expect(await cosigners()).toEqual([])
  })

  it('takes no signature of another key for a cosignature', async () => {
    const [one, two] = [present(witnesses[0]), present(witnesses[1])]
    witnesses = [{ ...one, key: two.key }]
    keeper = openKeeper()
    await minutes(5)
    expect([await cosigners(), standings()]).toEqual([[], [['two.example', 'WitnessUnreachable']]])
  })
})
