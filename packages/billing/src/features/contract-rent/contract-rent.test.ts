import { type ContractId, hourMs } from '@quittance/domain'
import { LEDGERS_OF_A_DAY, livesOf, readContract } from '@quittance/ledger'
import { type Club, clubIn, openClub } from '../../testing/club.ts'
import { done, present } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { openStoreFront, setsNothingUp } from '../../testing/store-front.ts'

const dayMs = 24 * hourMs

describe('the rent of a contract that mandates name', () => {
  let club: Club
  afterEach(() => club.close())

  const contractOf = (): ContractId => present(club.network.seen().mandateContract)
  const livesNow = async () => {
    const contract = contractOf()
    return livesOf(contract, present(await done(readContract(club.network.gateway)(contract))))
  }
  const daysLeft = async () =>
    Object.fromEntries((await livesNow()).map(({ entry, ledgersLeft }) => [entry, ledgersLeft / LEDGERS_OF_A_DAY]))
  /** Leaves an entry so many days from the next ledger on; none archives it. */
  const leave = (key: string, days: number): void => {
    const left = days === 0 ? {} : { ledgers_left: Math.round(days * LEDGERS_OF_A_DAY) }
    const set = club.network.sandbox.faults.set({ archived_entry: { key, for_ledgers: 1, ...left } })
    expect(set._tag).toBe('Right')
    club.network.wait(1_000)
  }
  const leaveAll = async (days: number): Promise<void> => {
    for (const { key } of await livesNow()) leave(key, days)
  }
  const passHours = async (hours: number): Promise<void> => {
    await club.pass(hours * hourMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) await club.pass(20_000)
  }
  const upkeeps = async () => {
    const { intents, ledgerTransactions } = await club.platform.shown()
    const found = (await intents.withKey(contractOf())).toSorted(
      (one, other) => one.row.updatedAt - other.row.updatedAt,
    )
    return await Promise.all(
      found.map(async ({ row: { details, status, attachedTo } }) => {
        const work = 'work' in details.action ? details.action.work : null
        const transaction = attachedTo === null ? null : (await ledgerTransactions.withId(attachedTo))?.row.status
        return { of: details.class, work, status, transaction }
      }),
    )
  }
  const reasons = () => club.worker.troubles().map((trouble) => trouble._tag)

  it('is paid for 60 days once fewer than 14 are left, and not before', async () => {
    club = await openClub()
    await leaveAll(15)
    await passHours(2)
    expect(await upkeeps()).toEqual([])
    await leaveAll(13)
    await passHours(2)
    const paid = { of: 'upkeep', work: 'extend', status: 'reported', transaction: 'closed' }
    expect(await upkeeps()).toEqual([paid])
    const left = await daysLeft()
    expect([left.instance, left.code].every((days) => days !== undefined && days > 59 && days <= 60)).toBe(true)
    await passHours(2)
    await passHours(2)
    expect(await upkeeps()).toHaveLength(1)
    expect(reasons()).toEqual([])
  })

  it('is paid once by two processes that find it due at once', async () => {
    club = await openClub()
    await leaveAll(13)
    const second = await openPlatform(club.network, club.folder.path)
    club.network.wait(2 * hourMs)
    for (let ledgers = 0; ledgers < 6; ledgers++) {
      await Promise.all([done(club.worker.step), done(second.worker.step)])
      club.network.wait(5_000)
    }
    expect(await upkeeps()).toHaveLength(1)
    await second.close()
  })

  it('is paid for an archived contract too: it is restored, then extended', async () => {
    club = await openClub()
    await leaveAll(0)
    expect((await livesNow()).every(({ ledgersLeft }) => ledgersLeft < 0)).toBe(true)
    await passHours(2)
    await passHours(2)
    expect((await upkeeps()).map(({ work, status }) => [work, status])).toEqual([
      ['restore', 'reported'],
      ['extend', 'reported'],
    ])
    expect((await daysLeft()).code).toBeGreaterThan(59)
    expect(reasons()).toEqual([])
  })

  it('is never a reason to lose a mandate: a charge restores what is archived', async () => {
    club = await openClub()
    const wallet = await club.wallets.wallet(90)
    const checkout = await club.join(await club.club(), 'reader@rent.example')
    await club.enrol(checkout, wallet)
    const id = present((await club.checkout(checkout)).subscription_id)
    const state = await club.subscription(id)
    if (state.status === 'absent') throw new Error('there is no subscription')
    const { mandateId } = state.authorization.mandate
    club.network.sandbox.faults.set({ archived_entry: { mandate: mandateId, for_ledgers: 1 } })
    club.network.wait(30 * dayMs)
    await leaveAll(0)
    for (let ledgers = 0; ledgers < 8; ledgers++) await club.pass()
    await passHours(24)
    expect(await club.subscription(id)).toMatchObject({ status: 'active', covered: { kind: 'paid', n: 1 } })
  })

  it('raises an alarm a week before the end, where no account can pay it', async () => {
    club = clubIn(
      await openStoreFront({}, (network) => ({ ...setsNothingUp(network), setUpBalance: network.setUpBalance })),
    )
    await leaveAll(13)
    await passHours(2)
    expect(club.worker.troubles()).toMatchObject([
      { _tag: 'CannotKeepContract', cause: 'there is no operator account' },
    ])
    await leaveAll(5.5)
    await passHours(2)
    expect(club.worker.troubles()).toMatchObject([
      { _tag: 'CannotKeepContract' },
      { _tag: 'ContractEnding', entry: 'instance', daysLeft: 5 },
      { _tag: 'ContractEnding', entry: 'code', daysLeft: 5 },
    ])
  })
})
