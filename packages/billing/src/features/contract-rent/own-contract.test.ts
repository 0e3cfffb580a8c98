import { asText, type ContractId, stroops } from '@quittance/domain'
import { contractMadeBy, type EntriesAt, type Friendbot, type LedgerGateway, readContract } from '@quittance/ledger'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { dyingAfter } from '../../testing/failing-stores.ts'
import { movingClub, presentCode } from '../../testing/moving-club.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform } from '../../testing/platform.ts'
import { makeOwnKeys, operatorAccount } from '../outgoing/signing-accounts.ts'

const mandateCode = presentCode

describe('the mandate contract that the operator account makes of the code of this version', () => {
  let moving: Awaited<ReturnType<typeof movingClub>>
  let own: ContractId
  beforeEach(async () => {
    moving = await movingClub({ mandateCode })
    const { services, network } = moving.now()
    await makeOwnKeys(services, network.seen(), 'testnet')
    const operator = present(await operatorAccount(services, 'testnet'))
    own = contractMadeBy(operator.account, presentCode, network.sandbox.networkPassphrase)
  })
  afterEach(() => moving.close())

  const onLedger = () => done(readContract(moving.now().network.gateway)(own))
  const works = async () => {
    const { intents } = await moving.now().platform.shown()
    const found = (await intents.withKey(own)).toSorted((one, other) => one.row.updatedAt - other.row.updatedAt)
    return found.map(({ row: { details, status } }) => ['work' in details.action ? details.action.work : null, status])
  }
  const troubles = () => moving.now().worker.troubles()
  const made = [
    ['create', 'reported'],
    ['extend', 'reported'],
  ]
  const subscribes = async (email: string): Promise<string> => {
    const club = moving.now()
    const checkout = await club.join(await club.club(), email)
    await club.enrol(checkout, await club.wallets.wallet(40))
    await moving.passLedgers(2)
    const id = present((await moving.now().checkout(checkout)).subscription_id)
    const { authorization } = await moving.subscription(id)
    expect(authorization.mandate.contract).toBe(own)
    return id
  }

  it('is made by the worker, kept, and sold with, once it is configured', async () => {
    await moving.passLedgers()
    expect([await onLedger(), await works()]).toEqual([null, []])
    await moving.moved(own, { mandateCode })
    expect(await moving.now().billing.mandateContracts.own('testnet')).toMatchObject({
      configured: own,
      own: { contract: own },
    })
    await moving.passLedgers(12)
    await moving.passLedgers(12)
    expect(await onLedger()).toMatchObject({ wasmHash: presentCode.sha256, code: { sha256: presentCode.sha256 } })
    expect([await works(), troubles()]).toEqual([made, []])
    await subscribes('ada@own.example')
  })

  it('has its code uploaded first, where the ledger lacks that', async () => {
    const { gateway } = moving.now().network
    let isHidden = true
    const hiding: LedgerGateway = {
      ...gateway,
      entries: (keys) =>
        TE.map((found: EntriesAt): EntriesAt => {
          const shown = [...found.entries].filter(([, { xdr }]) => !isHidden || xdr.length < presentCode.wasm.length)
          return { ...found, entries: new Map(shown) }
        })(gateway.entries(keys)),
      submit: (envelope) => {
        if (envelope.length > presentCode.wasm.length) isHidden = false
        return gateway.submit(envelope)
      },
    }
    await moving.moved(own, { mandateCode, gateway: hiding })
    await moving.passLedgers(48)
    expect(await works()).toEqual([['upload', 'reported'], ...made])
    expect(await onLedger()).not.toBeNull()
  })

  it('is made where a friendbot gives the operator account its first lumens', async () => {
    const { network, billing } = moving.now()
    const { account } = await done(billing.operator.create('testnet'))
    expect(await done(network.gateway.accountView(account, []))).toBeNull()
    const friendbot: Friendbot = (address) => async () => {
      const given = await network.sandbox.fund({ address })()
      return E.isLeft(given) ? E.left({ _tag: 'FriendbotFailed', reason: given.left.code }) : E.right(undefined)
    }
    await moving.moved(own, { mandateCode, provision: null, setUpBalance: stroops(0n), friendbot })
    await moving.passLedgers(24)
    expect(await works()).toEqual(made)
    expect(await onLedger()).not.toBeNull()
  })

  it('is made once by two processes', async () => {
    await moving.moved(own, { mandateCode })
    const { network, folder, worker } = moving.now()
    const second = await openPlatform(network, folder.path)
    for (let ledgers = 0; ledgers < 24; ledgers++) {
      await Promise.all([done(worker.step), done(second.worker.step)])
      network.wait(5_000)
    }
    await second.close()
    expect(await works()).toEqual(made)
  })

  it('is made once by processes that die before or after each of their writes', async () => {
    await moving.moved(own, { mandateCode })
    const { network, folder } = moving.now()
    let deaths = 0
    for (let survives = 0; survives < 60; survives++) {
      if ((await works()).length === made.length) break
      const mortal = await openPlatform(network, folder.path, dyingAfter(survives % 6))
      const stepped = await mortal.worker.step().catch(() => null)
      if (stepped === null || stepped._tag === 'Left') deaths++
      network.wait(5_000)
      await mortal.close()
    }
    await moving.passLedgers(12)
    expect(deaths).toBeGreaterThan(5)
    expect(await works()).toEqual(made)
  })

  it('is not made in the place of another one, which is missing: then an alarm names it', async () => {
    const { mandateContract: other } = moving.now().network.seen()
    const elsewhere = contractMadeBy(moving.now().other.account, presentCode, 'somewhere else')
    expect(other).not.toBe(elsewhere)
    await moving.moved(elsewhere, { mandateCode })
    await moving.passLedgers()
    const cause = `it is not on the ledger; of this version's code the operator account makes ${own}`
    expect(troubles()).toEqual([{ _tag: 'CannotKeepContract', contractId: elsewhere, cause }])
    expect([await onLedger(), await works()]).toEqual([null, []])
  })

  it('is made again after a reset of the testnet, under the same id', async () => {
    await moving.moved(own, { mandateCode })
    await moving.passLedgers(24)
    const before = await subscribes('ada@own.example')
    moving.now().network.startAnew()
    await refused(moving.now().worker.step)
    expect(await onLedger()).toBeNull()
    const decision = { by: asText('Ada'), reason: asText('the quarterly reset'), isForced: false }
    await done(moving.now().billing.networkResets.reset('testnet', decision))
    await moving.passLedgers(24)
    expect(await onLedger()).toMatchObject({ wasmHash: presentCode.sha256 })
    expect(await works()).toEqual([...made, ...made])
    await moving.now().wallets.wallet(1)
    const after = await subscribes('ada@own.example')
    expect([(await moving.subscription(before)).status, (await moving.subscription(after)).status]).toEqual([
      'canceled',
      'active',
    ])
    const compared = await done(moving.now().billing.following.compare('testnet'))
    expect(compared.comparison.differing).toBe(0)
  })
})
