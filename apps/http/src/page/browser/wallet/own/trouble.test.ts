import { Refused, Unanswered } from '../../api.ts'
import { ledger, listWallets, publicNetwork, testNetwork, type WalletModule, walletConnect } from './kit.ts'
import { type Trouble, troubleOf, troubleOfWallet } from './trouble.ts'
import { troubleWords } from './words.ts'

const freighter = { name: 'Freighter', url: 'https://freighter.app' }
const tagOf = ({ _tag }: Trouble): string => _tag

describe('what a wallet threw', () => {
  it.each<[unknown, string]>([
    [{ code: -4, message: 'The user rejected this request.' }, 'Declined'],
    [{ code: -1, message: 'Request rejected from the wallet' }, 'Declined'],
    ['User declined access', 'Declined'],
    [new Error('Popup closed'), 'Declined'],
    [{ code: -3, message: 'Getting the address is not allowed' }, 'WalletLocked'],
    [{ message: 'Wallet is locked' }, 'WalletLocked'],
    [{ code: -1, message: 'Freighter is not connected' }, 'WalletMissing'],
    [{ code: -2, message: 'Blind signing must be enabled' }, 'WalletFailed'],
    [undefined, 'WalletFailed'],
  ])('%j means %s', (cause, tag) => expect(tagOf(troubleOfWallet(cause, freighter))).toBe(tag))
})

describe('an error of any step', () => {
  it.each<[unknown, boolean, string]>([
    [new Refused('', 'wallet_trustline_missing'), false, 'NoTrustline'],
    [new Refused('', 'wallet_frozen'), false, 'Frozen'],
    [new Refused('', 'source_account_not_found'), false, 'NoAccount'],
    [new Refused('', 'wallet_balance_too_low'), false, 'TooLittle'],
    [new Refused('', 'send_asset_too_little'), false, 'TooLittle'],
    [new Refused('', 'checkout_not_open'), false, 'Refused'],
    [new Refused('', 'transaction_refused'), true, 'Refused'],
    [new Unanswered(''), false, 'Unanswered'],
    [new Unanswered(''), true, 'Unsure'],
    [new TypeError('a defect'), true, 'Unsure'],
  ])('%p, sent: %p, means %s', (cause, wasSent, tag) => expect(tagOf(troubleOf(cause, 'G', wasSent))).toBe(tag))

  it('never offers to pay again what may have arrived', () =>
    expect(troubleWords({ _tag: 'Unsure' }, 'USDC').next).toEqual(['look_again']))
})

describe('the list of wallets', () => {
  const module = (productId: string, isAvailable: () => Promise<boolean>): WalletModule => ({
    ...{ productId, productName: productId, productUrl: `https://${productId}.example`, isAvailable },
    getAddress: () => Promise.reject(new Error('not asked')),
    signTransaction: () => Promise.reject(new Error('not asked')),
    getNetwork: () => Promise.reject(new Error('not asked')),
  })
  const modules = [
    module('lobstr', async () => true),
    module('broken', () => Promise.reject(new Error('broken'))),
    module('absent', async () => false),
    module('albedo', async () => true),
    module('freighter', async () => true),
  ]
  const late = [ledger, walletConnect].map((wallet) => ({
    ...wallet,
    module: () => Promise.reject(new Error('not chosen')),
  }))
  const never = () => new Promise<void>(() => {})
  const listedOn = async (network: string) =>
    (await listWallets(modules, late, network, never)).map(({ id, isHere }) => [id, isHere])

  it('leads with those that are here, whatever one of them throws', async () =>
    expect(await listedOn(publicNetwork)).toEqual([
      ['lobstr', true],
      ['albedo', true],
      ['freighter', true],
      ['LEDGER', true],
      ['walletconnect', true],
      ['broken', false],
      ['absent', false],
    ]))

  it('leaves out those that sign for other networks only', async () => {
    expect((await listedOn(testNetwork)).map(([id]) => id)).not.toContain('lobstr')
    expect((await listedOn('A network of our own')).map(([id]) => id)).toEqual([
      'freighter',
      'LEDGER',
      'broken',
      'absent',
    ])
  })

  it('does not wait for a wallet that does not answer', async () => {
    const silent = module('silent', () => new Promise<boolean>(() => {}))
    const found = await listWallets([silent], [], publicNetwork, async () => {})
    expect(found.map(({ isHere }) => isHere)).toEqual([false])
  })
})
