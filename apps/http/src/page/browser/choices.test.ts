import { shownChoice } from './choices.ts'
import { readAssets, readProposal } from './wire.ts'

const usdc = 'USDC:GC6GYKCMRBVXZQZLD4WV7QRJSA6Q4FJDJASMEC7776634JW3GSLZ7Q2W'
const xlm = { asset_id: 'native', balance: '100', send_amount: '54', send_max: '54.81', is_price_checked: true }
const shown = (asset: object) => readAssets([asset]).map((each) => shownChoice(each, usdc))

describe('the assets that an account can pay with', () => {
  it('shows the maximum to send beside the balance of an asset', () => {
    expect(shown(xlm)).toEqual([
      {
        code: 'XLM',
        most: 'at most 54.81 XLM',
        note: '100 held',
        choice: { assetId: 'native', sendMax: '54.81' },
      },
    ])
    expect(shown({ ...xlm, asset_id: usdc, send_amount: '13.5', send_max: '13.5' })).toEqual([
      {
        code: 'USDC',
        most: '13.5 USDC',
        note: '100 held · issued by GC6G…7Q2W',
        choice: { assetId: usdc, sendMax: '13.5' },
      },
    ])
  })
  it('marks the price of an asset as unchecked without a rate', () =>
    expect(shown({ ...xlm, is_price_checked: false })).toMatchObject([
      { note: 'no exchange rate to check this price by · 100 held', choice: { assetId: 'native' } },
    ]))
  it('offers no choice of an asset without a path or a sufficient balance', () => {
    expect(shown({ ...xlm, send_amount: null, send_max: null })).toEqual([
      { code: 'XLM', most: '', note: 'no acceptable price at the moment · 100 held', choice: null },
    ])
    expect(shown({ ...xlm, balance: '53.9999999' })).toMatchObject([
      { note: 'not enough · 53.9999999 held', choice: null },
    ])
    expect(shown({ ...xlm, balance: '54' })).toMatchObject([{ choice: { sendMax: '54.81' } }])
  })
  it('skips invalid entries in the list of assets', () => {
    expect(readAssets([null, {}, { asset_id: 'native' }, xlm])).toHaveLength(1)
    expect([readAssets(null), readAssets('x')]).toEqual([[], []])
  })
})

describe('a transaction to sign', () => {
  const proposal = { sep7_uri: 'web+stellar:tx?xdr=AAAA', send_max: '54.81', expires_at: '2026-11-20T10:05:00.000Z' }
  it('reads a transaction to sign, with its wallet link', () =>
    expect(readProposal(proposal)).toEqual({
      sep7Uri: proposal.sep7_uri,
      sendMax: '54.81',
      expiresAt: proposal.expires_at,
      mandate: null,
    }))
  it.each([null, {}, { ...proposal, sep7_uri: 'https://evil.example' }, { ...proposal, expires_at: 5 }])(
    'rejects a transaction to sign unless its link opens a wallet and its end is a time: %j',
    (value) => expect(readProposal(value)).toBeNull(),
  )
})
