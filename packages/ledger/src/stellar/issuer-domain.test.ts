import { AssetId } from '@quittance/domain'
import { right } from '@quittance/domain/testing/outcomes'
import { Account, Operation, TransactionBuilder } from '@stellar/stellar-sdk'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { LedgerGateway } from '../gateway.ts'
import { named } from '../named.ts'
import { nobody, payee, payer, type StartedSandbox, sandboxPassphrase, startSandbox } from '../testing/sandbox.ts'
import { NATIVE } from './assets.ts'
import { issuerDomainOf } from './issuer-domain.ts'
import type { StellarTomlReader } from './stellar-toml-reader.ts'

const issuedBy = (issuer: string) => named(AssetId, `USD:${issuer}`)
const asset = issuedBy(payer.accountId)

describe('the domain that an issuer names', () => {
  let network: StartedSandbox
  beforeAll(async () => {
    network = await startSandbox()
    const view = right(await network.gateway.accountView(payer.accountId, [])())
    const naming = new TransactionBuilder(new Account(payer.accountId, String(view?.accountSequence)), {
      fee: '100',
      networkPassphrase: sandboxPassphrase,
    })
      .addOperation(Operation.setOptions({ homeDomain: 'shop.example' }))
      .setTimeout(0)
      .build()
    await network.credited(network.signed(naming.toXdr()))
  })
  afterAll(() => network.stop())

  const publishing =
    (...currencies: ReadonlyArray<AssetId>): StellarTomlReader['read'] =>
    () =>
      TE.right({ networkPassphrase: null, accounts: [], signingKey: null, uriRequestSigningKey: null, currencies })
  const asked = (assetId: AssetId, read: StellarTomlReader['read'], gateway?: Pick<LedgerGateway, 'entries'>) =>
    issuerDomainOf(gateway ?? network.gateway, read)(assetId)()

  it('vouches for an asset that its document lists, and for no other', async () => {
    const listed = { domain: 'shop.example' }
    expect(await asked(asset, publishing(asset))).toEqual({ _tag: 'Listed', ...listed })
    expect(await asked(asset, publishing(issuedBy(payee.accountId)))).toEqual({ _tag: 'NotListed', ...listed })
  })
  it('is missing where the issuer names none, or is not on the ledger', async () => {
    expect(await asked(issuedBy(payee.accountId), publishing())).toEqual({ _tag: 'NoDomain' })
    expect(await asked(issuedBy(nobody.accountId), publishing())).toEqual({ _tag: 'NoIssuer' })
  })
  it('is null for the native asset, which has no issuer', async () =>
    expect(await asked(NATIVE, publishing())).toBeNull())
  it('is unknown while its document, or the ledger, cannot be read', async () => {
    const refused = () => TE.left({ _tag: 'StellarTomlRefused' as const, domain: 'shop.example', status: 404 })
    expect(await asked(asset, refused)).toEqual({ _tag: 'Unknown', domain: 'shop.example', cause: 'it answers 404' })
    const silent = { entries: () => TE.left({ _tag: 'LedgerUnreachable' as const, cause: 'silence' }) }
    expect(await asked(asset, publishing(asset), silent)).toEqual({ _tag: 'Unknown', domain: null, cause: 'silence' })
  })
})
