import { right } from '@quittance/domain/testing/outcomes'
import { Asset, Operation } from '@stellar/stellar-sdk'
import type { Sandbox } from '../sandbox-api.ts'
import {
  accountEntry,
  appliedOf,
  keyNumber,
  network,
  outcomeOf,
  sandboxInMemory,
  signed,
  submit,
  trustline,
  usdc,
  usdcIssuer,
} from '../testing/fixture.ts'

const key = keyNumber(1)
const address = key.publicKey()
const assetId = `USDC:${usdc.getIssuer()}`
const refused = (code: string) => ({ _tag: 'Left', left: { _tag: 'FundingRefused', code } })

let sandbox: Sandbox
beforeEach(() => {
  sandbox = sandboxInMemory()
})

describe('the assets', () => {
  it('the assets are XLM and those of two issuers, which have paid only for their contracts', () => {
    const [xlm, ...issued] = sandbox.assets()
    expect(xlm).toEqual({ assetId: 'native', code: 'XLM', issuer: null })
    expect(issued.map(({ code }) => code)).toEqual(['USDC', 'EURC'])
    for (const { keypair } of network.issuers)
      expect(accountEntry(sandbox, keypair).balance).toBeGreaterThan(9_990_000_000n)
  })
})

describe('friendbot', () => {
  it('friendbot answers with a transaction on the ledger', async () => {
    const { hash, ledger } = right(await sandbox.fund({ address })())
    expect(appliedOf(sandbox, hash)).toMatchObject({ succeeded: true, ledger })
    expect(accountEntry(sandbox, key).balance).toBe(100_000_000_000n)
  })

  it('friendbot pays an issued asset to an account that trusts it', async () => {
    expect(await sandbox.fund({ address, assetId })()).toEqual(refused('paymentNoDestination'))
    await sandbox.fund({ address })()
    expect(await sandbox.fund({ address, assetId })()).toEqual(refused('paymentNoTrust'))
    outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc })]))
    right(await sandbox.fund({ address, assetId })())
    right(await sandbox.fund({ address, assetId })())
    expect(trustline(sandbox, key, usdc).balance).toBe(200_000_000_000n)
  })

  it('friendbot refuses an existing account, an invalid address and a foreign asset', async () => {
    await sandbox.fund({ address })()
    expect(await sandbox.fund({ address })()).toEqual(refused('createAccountAlreadyExist'))
    expect(await sandbox.fund({ address: 'G' })()).toEqual(refused('malformedAddress'))
    const foreign = `USDC:${keyNumber(9).publicKey()}`
    expect(await sandbox.fund({ address, assetId: foreign })()).toEqual(refused('unknownAsset'))
  })

  it('friendbot waits while another transaction of the root account is queued', async () => {
    const payment = Operation.payment({ destination: usdcIssuer.publicKey(), asset: Asset.native(), amount: '1' })
    const { hash } = submit(sandbox, signed(sandbox, network.root, [payment]))
    const funding = right(await sandbox.fund({ address })())
    expect(funding.ledger).toBe(appliedOf(sandbox, hash).ledger + 1)
  })

  it('friendbot retries grants whose shared transaction failed because of another grant', async () => {
    await sandbox.fund({ address })()
    const newcomer = keyNumber(3)
    const create = Operation.createAccount({ destination: newcomer.publicKey(), startingBalance: '5' })
    submit(sandbox, signed(sandbox, key, [create]))
    const outcome = await sandbox.fund({ address: newcomer.publicKey() })()
    const { balance } = accountEntry(sandbox, newcomer)
    expect([
      [50_000_000n, refused('createAccountAlreadyExist')],
      [100_000_000_000n, { _tag: 'Right', right: expect.anything() }],
    ]).toContainEqual([balance, outcome])
  })
})

describe('provisioning an account', () => {
  it('provisioning creates the account and its trustlines in one transaction', async () => {
    const { ledger } = sandbox.clock()
    expect(right(await sandbox.provision(key.secret())())).toEqual({ address })
    expect(sandbox.clock().ledger).toBe(ledger + 1)
    expect(accountEntry(sandbox, key)).toMatchObject({ balance: 100_000_000_000n, numSubEntries: 2 })
    expect(trustline(sandbox, key, usdc).balance).toBe(0n)
  })

  it('provisioning adds only what is missing', async () => {
    await sandbox.fund({ address })()
    outcomeOf(sandbox, signed(sandbox, key, [Operation.changeTrust({ asset: usdc, limit: '7' })]))
    right(await sandbox.provision(key.secret())())
    const once = accountEntry(sandbox, key)
    right(await sandbox.provision(key.secret())())
    expect(accountEntry(sandbox, key)).toEqual(once)
    expect(once.numSubEntries).toBe(2)
    expect(trustline(sandbox, key, usdc).limit).toBe(70_000_000n)
  })

  it('provisioning requires a valid secret key', async () => {
    expect(await sandbox.provision(address)()).toEqual(refused('malformedSecretKey'))
  })
})
