import { settlementResult } from './settlement-result.ts'

const uri = 'web+stellar:pay?destination=GA&amount=1.51'
const lacking: Parameters<typeof settlementResult>[0] = {
  object: 'settlement',
  environment: 'testnet',
  network_passphrase: 'Test',
  custody: 'service',
  address: null,
  exists: false,
  balance: '0',
  reserve: '0',
  missing: '1.51',
  assets: [],
  funding_accounts: [],
  funding: { sep7_uri: uri },
  problems: [{ code: 'account_missing', message: 'It does not exist.', remedy: 'Send at least 1.51 XLM to GA.' }],
  next_step: 'Send at least 1.51 XLM to GA.',
  is_ready: false,
}

it('settlementResult shows missing XLM as a link, as a QR code, and as the next step', async () => {
  const { text, json } = await settlementResult(lacking, false)
  expect(json).toBe(lacking)
  expect(text).toContain('missing      1.51 XLM')
  expect(text).toContain(uri)
  expect(text.split('\n').filter((line) => /[█▀▄]{5}/.test(line)).length).toBeGreaterThan(10)
  expect(text).toContain('It does not exist.')
  expect(text.endsWith('Next: Send at least 1.51 XLM to GA.')).toBe(true)
})

it('settlementResult shows the same QR code on a terminal, black on white', async () => {
  const { text } = await settlementResult(lacking, true)
  const { text: plain } = await settlementResult(lacking, false)
  const [black, end] = ['\u001b[38;5;16;48;5;231m', '\u001b[0m']
  const isSquares = (line: string) => /[█▀▄]{5}/.test(line)
  const coloured = text.split('\n').filter((line) => line.startsWith(black))
  expect(coloured.filter(isSquares)).toEqual(
    plain
      .split('\n')
      .filter(isSquares)
      .map((line) => `${black}${line}${end}`),
  )
  // With the quiet zone around it.
  expect(coloured.length).toBeGreaterThanOrEqual(coloured.filter(isSquares).length + 2)
  expect(text.replaceAll(black, '').replaceAll(end, '')).toBe(plain)
  expect(plain).not.toContain('\u001b')
})
