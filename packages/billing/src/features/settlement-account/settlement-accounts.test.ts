import { asText, decimalFromStroops, stroops } from '@quittance/domain'
import { keyPairFromSeed } from '@quittance/ledger'
import { Asset, Operation } from '@stellar/stellar-sdk'
import * as E from 'fp-ts/lib/Either.js'
import type { Network } from '../../services/services.ts'
import { settlementKey } from '../../stores/vault/vault-signer.ts'
import { startNetwork, type TestNetwork } from '../../testing/network.ts'
import { done, present, refused } from '../../testing/outcomes.ts'
import { openPlatform, type TestPlatform, temporaryFolder } from '../../testing/platform.ts'
import { command, openShop } from '../../testing/shop.ts'
import { walletsOn } from '../../testing/wallets.ts'
import { settlementAccounts } from './settlement-accounts.ts'

const requested = (uri: string | null) => Object.fromEntries(new URL(present(uri)).searchParams)

describe('the settlement account as a merchant sees it', () => {
  let network: TestNetwork
  let platform: TestPlatform
  const folder = temporaryFolder()
  beforeAll(async () => {
    network = await startNetwork()
    platform = await openPlatform(network, folder.path)
  })
  afterAll(async () => {
    await platform.close()
    await network.close()
    folder.remove()
  })
  /** The network without set-up of accounts, like real networks. */
  const unaided = (): Network => ({ ...present(platform.services.networks.testnet), provision: null })
  const billing = () => settlementAccounts({ ...platform.services, networks: { testnet: unaided(), mainnet: null } })
  const newShop = async (): Promise<string> => {
    const { merchants } = platform.billing
    const { merchantId: _, ...context } = command(platform, '')
    return (await done(merchants.create(context, asText('A Shop')))).merchantId
  }
  const secretOf = async (merchantId: string) =>
    (await platform.services.vault.carriage.withSeed(settlementKey('testnet', merchantId), keyPairFromSeed)).secret

  it('shows that a set-up account lacks nothing', async () => {
    const merchantId = await openShop(platform)
    const { account } = await done(platform.billing.settlement(merchantId, 'testnet'))
    const { usdc, eurc, xlm } = network
    const issued = { is_default: false, trustline: 'present', balance: '0' }
    const shown = await done(billing().show({ merchantId, environment: 'testnet' }))
    const { funding, ...rest } = shown
    expect(rest).toEqual({
      object: 'settlement',
      environment: 'testnet',
      network_passphrase: network.gateway.networkPassphrase,
      custody: 'service',
      address: account,
      exists: true,
      balance: '10000',
      reserve: '2',
      missing: '0',
      assets: [
        { ...issued, asset_id: usdc.assetId, code: 'USDC', peg: 'USD', is_default: true },
        { ...issued, asset_id: 'native', code: 'XLM', peg: null, trustline: 'not_needed', balance: '10000' },
        { ...issued, asset_id: eurc.assetId, code: 'EURC', peg: 'EUR' },
      ],
      funding_accounts: [],
      problems: [],
      next_step: null,
      is_ready: true,
    })
    expect(xlm.assetId).toBe('native')
    expect(requested(funding.sep7_uri)).toEqual({
      destination: account,
      msg: 'Fund the settlement account of A Shop',
      network_passphrase: network.gateway.networkPassphrase,
    })
  })

  it('shows the remedy for a removed trustline', async () => {
    const merchantId = await newShop()
    const [code, issuer] = network.eurc.assetId.split(':')
    const { act } = walletsOn(network)
    act(await secretOf(merchantId), [Operation.changeTrust({ asset: new Asset(present(code), issuer), limit: '0' })])
    const shown = await done(billing().show({ merchantId, environment: 'testnet' }))
    expect(shown).toMatchObject({ exists: true, missing: '0', reserve: '1.5', is_ready: false })
    expect(shown.assets.map(({ trustline }) => trustline)).toEqual(['present', 'not_needed', 'missing'])
    expect(shown.problems).toEqual([
      {
        code: 'trustline_missing',
        message: `The settlement account has no trustline for ${network.eurc.assetId}.`,
        remedy: `Have the service set the trustline: quittance merchant setup --merchant ${merchantId} --environment testnet`,
      },
    ])
    expect(shown.next_step).toBe(present(shown.problems[0]).remedy)
  })

  it('shows the amount and address that fund a missing account, also as a wallet request', async () => {
    const merchantId = await newShop()
    const { account } = await done(platform.billing.settlement(merchantId, 'testnet'))
    const gone = settlementAccounts({
      ...platform.services,
      networks: {
        testnet: { ...unaided(), gateway: { ...network.gateway, accountView: () => async () => E.right(null) } },
        mainnet: null,
      },
    })
    const shown = await done(gone.show({ merchantId, environment: 'testnet' }))
    const missing = decimalFromStroops(stroops(20_200_000n))
    expect(shown).toMatchObject({
      exists: false,
      balance: '0',
      reserve: '0',
      missing,
      problems: [{ code: 'account_missing', remedy: `Send at least ${missing} XLM to ${account}.` }],
    })
    expect(requested(shown.funding.sep7_uri)).toMatchObject({ destination: account, amount: missing })
  })

  it('shows that the environment has no settlement account', async () => {
    const shown = await done(billing().show({ merchantId: 'mer_unknown', environment: 'testnet' }))
    expect(shown).toMatchObject({ address: null, funding: { sep7_uri: null }, is_ready: false })
    expect(shown.problems.map(({ code }) => code)).toEqual(['no_settlement_account', 'no_asset_accepted'])
  })

  it('fails without a configured environment or a responding node', async () => {
    const merchantId = await newShop()
    expect(await refused(billing().show({ merchantId, environment: 'mainnet' }))).toEqual({
      _tag: 'NetworkNotConfigured',
      environment: 'mainnet',
    })
    const silent = { _tag: 'LedgerUnreachable' as const, cause: 'a test' }
    const gateway = { ...network.gateway, accountView: () => async () => E.left(silent) }
    const services = { ...platform.services, networks: { testnet: { ...unaided(), gateway }, mainnet: null } }
    expect(await refused(settlementAccounts(services).show({ merchantId, environment: 'testnet' }))).toEqual(silent)
  })
})
