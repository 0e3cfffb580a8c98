import { settingsIn } from '../settings.ts'
import { smtpIn } from './mail-setting.ts'

const url = 'smtps://user:password@mail.example:465'
const from = 'A Shop <billing@shop.example>'

const read = (variables: Readonly<Record<string, string>>) => {
  const settings = settingsIn(variables)
  return { smtp: smtpIn(settings), problems: settings.problems().map(({ variable }) => variable) }
}

it.each([from, 'billing@shop.example', 'Bücher & Söhne <post@bücher.example>'])('sends from %s', (sender) =>
  expect(read({ QUITTANCE_SMTP_URL: url, QUITTANCE_MAIL_FROM: sender })).toEqual({
    smtp: { url, from: sender },
    problems: [],
  }),
)

it('sends nothing unless it is configured', () => expect(read({})).toEqual({ smtp: null, problems: [] }))

it.each([
  ['a server without a sender', { QUITTANCE_SMTP_URL: url }, ['QUITTANCE_MAIL_FROM']],
  ['a sender without a server', { QUITTANCE_MAIL_FROM: from }, ['QUITTANCE_SMTP_URL']],
  [
    'another protocol',
    { QUITTANCE_SMTP_URL: 'https://mail.example', QUITTANCE_MAIL_FROM: from },
    ['QUITTANCE_SMTP_URL'],
  ],
  ['no host', { QUITTANCE_SMTP_URL: 'smtp://', QUITTANCE_MAIL_FROM: from }, ['QUITTANCE_SMTP_URL']],
  [
    'several senders',
    { QUITTANCE_SMTP_URL: url, QUITTANCE_MAIL_FROM: 'a@x.example, b@x.example' },
    ['QUITTANCE_MAIL_FROM'],
  ],
  [
    'another header',
    { QUITTANCE_SMTP_URL: url, QUITTANCE_MAIL_FROM: 'a@x.example\r\nBcc: b@x.example' },
    ['QUITTANCE_MAIL_FROM'],
  ],
  ['no address', { QUITTANCE_SMTP_URL: url, QUITTANCE_MAIL_FROM: 'A Shop' }, ['QUITTANCE_MAIL_FROM']],
])('refuses %s, without repeating the value', (_, variables, problems) =>
  expect(read(variables)).toEqual({ smtp: null, problems }),
)
