import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import type { Mail } from '@quittance/billing'
import * as E from 'fp-ts/lib/Either.js'
import { smtpMailer, withTls } from './smtp-mailer.ts'

type Received = { readonly from: string; readonly to: ReadonlyArray<string>; readonly data: string }

/** A server that takes mails; `answer` replaces its answer to a command. */
const smtpServer = async (answer: (command: string) => string | null = () => null) => {
  const received: Array<Received> = []
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    let [text, from, isData] = ['', '', false]
    let to: Array<string> = []
    const obey = (line: string): string => {
      const given = answer(line)
      if (given !== null) return given
      if (line.startsWith('MAIL FROM:')) from = line
      if (line.startsWith('RCPT TO:')) to.push(line)
      if (line === 'DATA') {
        isData = true
        return '354 go on'
      }
      return line.startsWith('EHLO') ? '250-here\r\n250-8BITMIME\r\n250 SMTPUTF8' : '250 ok'
    }
    socket.on('error', () => undefined)
    socket.write('220 here ESMTP\r\n')
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      for (;;) {
        const end = text.indexOf(isData ? '\r\n.\r\n' : '\r\n')
        if (end < 0) return
        const part = text.slice(0, end)
        text = text.slice(end + (isData ? 5 : 2))
        if (isData) {
          received.push({ from, to, data: part })
          ;[isData, to] = [false, []]
          socket.write('250 taken\r\n')
        } else socket.write(`${obey(part)}\r\n`)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : null
  return {
    url: `smtp://127.0.0.1:${port}`,
    received,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

const mail: Mail = {
  merchantId: 'mer_1',
  to: { name: 'Ada', address: 'ada@shop.example' },
  subject: 'Your code',
  text: '7K2M-9XQP\n\nOne works.\n',
  html: '<p>7K2M-9XQP</p>',
}
const from = 'A Shop <billing@shop.example>'

const sending = async (mails: ReadonlyArray<Mail>, answer?: (command: string) => string | null, timeoutMs?: number) => {
  const server = await smtpServer(answer)
  const mailer = smtpMailer({ url: server.url, from }, timeoutMs)
  const outcomes = []
  for (const each of mails) outcomes.push(await mailer.send(each)())
  mailer.close()
  await server.close()
  return { outcomes, received: server.received }
}

const headersOf = ({ data }: Received): ReadonlyArray<string> =>
  data
    .slice(0, data.indexOf('\r\n\r\n'))
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')

describe('the SMTP mailer', () => {
  it('hands a mail over as text and HTML, from the configured sender', async () => {
    const { outcomes, received } = await sending([mail, mail])
    expect(outcomes).toEqual([E.right(undefined), E.right(undefined)])
    expect(received.map(({ from, to }) => ({ from, to }))).toEqual([
      { from: 'MAIL FROM:<billing@shop.example>', to: ['RCPT TO:<ada@shop.example>'] },
      { from: 'MAIL FROM:<billing@shop.example>', to: ['RCPT TO:<ada@shop.example>'] },
    ])
    const [first] = received
    const headers = first === undefined ? [] : headersOf(first)
    expect(headers).toEqual(
      expect.arrayContaining([
        'From: A Shop <billing@shop.example>',
        'To: Ada <ada@shop.example>',
        'Subject: Your code',
        'Auto-Submitted: auto-generated',
        expect.stringMatching(/^Content-Type: multipart\/alternative;/),
      ]),
    )
    expect(first?.data).toContain('7K2M-9XQP\r\n\r\nOne works.')
    expect(first?.data).toContain('<p>7K2M-9XQP</p>')
  })

  it('encodes names, subjects and addresses that are not ASCII', async () => {
    const to = (address: string) => ({ name: 'Ada Łovelace 馬', address })
    const subject = 'Dein Code für „Bücher“'
    const mails = ['ada@büro.example', 'ädä@büro.example'].map((address) => ({ ...mail, to: to(address), subject }))
    const { outcomes, received } = await sending(mails)
    expect(outcomes).toEqual([E.right(undefined), E.right(undefined)])
    // A server that takes UTF-8 in the local part takes it in the domain.
    const recipients = ['ada@xn--bro-hoa.example', 'ädä@büro.example']
    expect(received.map((each) => each.to)).toEqual(recipients.map((address) => [`RCPT TO:<${address}>`]))
    for (const headers of received.map(headersOf)) {
      expect(headers.find((line) => line.startsWith('Subject: '))).toMatch(/^Subject: =\?UTF-8\?/)
      expect(headers.find((line) => line.startsWith('To: '))).toMatch(/^To: =\?UTF-8\?/)
    }
  })

  it.each([
    ['a subject', { subject: 'Hello\r\nBcc: thief@evil.example\r\n\r\nbody' }],
    ['a name', { to: { name: 'Ada\r\nBcc: thief@evil.example', address: 'ada@shop.example' } }],
    ['a name with an address', { to: { name: 'Ada <thief@evil.example>, ', address: 'ada@shop.example' } }],
    ['a quoted name', { to: { name: '"Ada" <thief@evil.example>\\', address: 'ada@shop.example' } }],
  ])('sends to nobody else whatever is in %s', async (_, change) => {
    const { received } = await sending([{ ...mail, ...change }])
    expect(received.map(({ to }) => to)).toEqual([['RCPT TO:<ada@shop.example>']])
    const [only] = received
    const names = (only === undefined ? [] : headersOf(only)).map((line) =>
      line.slice(0, line.indexOf(':')).toLowerCase(),
    )
    expect(names.filter((name) => name === 'bcc' || name === 'cc')).toEqual([])
    expect(names.filter((name) => name === 'to')).toHaveLength(1)
  })

  it.each(['ada,thief@evil.example', '<thief@evil.example', 'ada;thief@evil.example', 'x>,<thief@evil.example'])(
    'sends at most one mail to the address %s',
    async (address) => {
      const { received } = await sending([{ ...mail, to: { name: null, address } }])
      expect(received.flatMap(({ to }) => to).length).toBeLessThanOrEqual(1)
    },
  )

  it.each([
    [
      'refused for ever',
      'MailRefused',
      'EENVELOPE 550',
      (line: string) => (line.startsWith('RCPT') ? '550 no ada@shop.example here' : null),
    ],
    [
      'put off',
      'MailUnavailable',
      'EENVELOPE 451',
      (line: string) => (line.startsWith('RCPT') ? '451 later, ada@shop.example' : null),
    ],
    [
      'not taken from this sender',
      'MailUnavailable',
      'EENVELOPE 530',
      (line: string) => (line.startsWith('MAIL') ? '530 who are you' : null),
    ],
  ])('tells by a code alone that a mail is %s', async (_, tag, cause, answer) => {
    const { outcomes, received } = await sending([mail], answer)
    expect(outcomes).toEqual([E.left({ _tag: tag, cause })])
    expect(received).toEqual([])
  })

  it('gives a silent server up after a while', async () => {
    const server = createServer(() => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    const mailer = smtpMailer(
      { url: `smtp://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, from },
      200,
    )
    expect(await mailer.send(mail)()).toEqual(E.left({ _tag: 'MailUnavailable', cause: expect.any(String) }))
    mailer.close()
    server.close()
  })

  it('hands nothing over in the clear where TLS is required', async () => {
    const server = await smtpServer((command) => (command === 'STARTTLS' ? '454 not now' : null))
    const mailer = smtpMailer({ url: `${server.url}/?requireTLS=true`, from })
    const outcome = await mailer.send(mail)()
    mailer.close()
    await server.close()
    expect(outcome).toEqual(E.left({ _tag: 'MailUnavailable', cause: expect.stringContaining('ETLS') }))
    expect(server.received).toEqual([])
  })

  it.each([
    ['smtp://mail.example:587', 'smtp://mail.example:587?requireTLS=true'],
    ['smtps://user:pa%20ss@mail.example', 'smtps://user:pa%20ss@mail.example?requireTLS=true'],
    ['smtp://mail.internal?requireTLS=false', 'smtp://mail.internal?requireTLS=false'],
    ['smtp://localhost:2525', 'smtp://localhost:2525'],
    ['smtp://[::1]:25', 'smtp://[::1]:25'],
  ])('requires TLS of other machines, unless it is waived: %s', (url, expected) => expect(withTls(url)).toBe(expected))

  it('reports a server that is not there', async () => {
    const server = await smtpServer()
    await server.close()
    const mailer = smtpMailer({ url: server.url, from })
    expect(await mailer.send(mail)()).toEqual(E.left({ _tag: 'MailUnavailable', cause: 'ESOCKET' }))
    mailer.close()
  })
})
