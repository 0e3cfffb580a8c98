import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Post } from '../../notify/delivery/sending/sender.ts'
import type { Zone } from './dns-trap.ts'
import { inside, outside } from './trap.ts'

/** A malicious endpoint. `others`: more names; `handler`: its server. */
export type Trick = {
  readonly what: string
  readonly url: string
  readonly mayBeLoopback?: Post['mayBeLoopback']
  readonly others?: Zone
  readonly handler?: RequestListener
  readonly totalMs?: number
  /** How often it is sent: only the last counts. */
  readonly times?: number
}

const at = (what: string, host: string): Trick => ({ what, url: `https://${host}:PORT/` })
const named = (what: string, zone: Zone[string]): Trick => ({
  what,
  url: 'https://other.example:PORT/',
  others: { 'other.example': zone },
})
const answering = (what: string, handler: RequestListener, totalMs = 2_000): Trick => ({
  what,
  url: 'https://shop.example:PORT/',
  handler,
  totalMs,
})
const pointing = (status: number): Trick =>
  answering(`A redirect (${status}) to this machine`, (request, response) => {
    response.writeHead(status, { location: `https://${inside}:${request.socket.localPort}/` }).end()
  })

/** Writes without an end, as fast as it is read. */
const endless: RequestListener = (_, response) => {
  const chunk = Buffer.alloc(65_536, 'x')
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', write)
  write()
}
/** Writes one byte after the other. */
const dripping =
  (begin: (socket: NonNullable<Parameters<RequestListener>[1]['socket']>) => void): RequestListener =>
  (_, { socket }) => {
    if (socket === null) return
    begin(socket)
    const timer = setInterval(() => socket.write('a'), 20)
    socket.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer))
  }

const slowMs = 300

const addresses: ReadonlyArray<Trick> = [
  at('This machine', '127.0.0.1'),
  at('This machine, elsewhere in its range', '127.255.255.254'),
  at('This machine, shortened', '127.1'),
  at('This machine as one number', '2130706433'),
  at('This machine in hexadecimal', '0x7f000001'),
  at('This machine in octal', '0177.0.0.01'),
  at('This machine in mixed bases', '0x7f.0.0.1'),
  at('This machine in full-width digits and dots', '１２７。０。０。１'),
  at('No address, which reaches this machine', '0.0.0.0'),
  at('No address in IPv6', '[::]'),
  at('This machine in IPv6', '[::1]'),
  at('IPv4 mapped into IPv6', '[::ffff:127.0.0.1]'),
  at('IPv4 mapped, in hexadecimal', '[::ffff:7f00:1]'),
  at('IPv4 in compatible IPv6', '[::127.0.0.1]'),
  at('NAT64', '[64:ff9b::7f00:1]'),
  at('NAT64 of a local network', '[64:ff9b:1::7f00:1]'),
  at('6to4', '[2002:7f00:1::]'),
  at('Teredo', '[2001:0:7f00:1::]'),
  at('Private', '10.0.0.1'),
  at('Private', '172.16.0.1'),
  at('Private', '192.168.0.1'),
  at('Unique-local', '[fd00::1]'),
  at("A cloud's metadata", '169.254.169.254'),
  at("A cloud's metadata in IPv6", '[fd00:ec2::254]'),
  at("A cloud's metadata behind carrier NAT", '100.100.100.200'),
  at('Carrier NAT', '100.64.0.1'),
  at('Link-local in IPv6', '[fe80::1]'),
  at('Link-local with a zone', '[fe80::1%25eth0]'),
  at('Site-local, of old', '[fec0::1]'),
  at('Multicast', '224.0.0.1'),
  at('Multicast in IPv6', '[ff02::1]'),
  at('Broadcast', '255.255.255.255'),
  at('Reserved', '240.0.0.1'),
  at('For documentation', '192.0.2.1'),
  at('A user that looks like a host', 'shop.example@127.0.0.1'),
]

const names: ReadonlyArray<Trick> = [
  { ...at('The name of this machine', 'localhost'), others: { localhost: () => [inside] } },
  named('A name for this machine', () => [inside]),
  named('A name for this machine in IPv6', () => ['::1']),
  named('A name for metadata', () => ['169.254.169.254']),
  named('A name with a public address and a private one', () => [outside, inside]),
  named('A name with a public address and a private one in IPv6', () => [outside, '::ffff:7f00:1']),
  { ...named('A name that changes to private after the first attempt', (n) => [n === 1 ? outside : inside]), times: 2 },
  named('A name that changes to private while it is connected to', (n) => [n === 1 ? outside : inside]),
  { ...named('A name that is never answered for', () => null), totalMs: slowMs },
  { what: 'http to a name', url: 'http://shop.example:PORT/' },
  { what: 'http to this machine', url: `http://${inside}:PORT/` },
  {
    what: 'In the sandbox: http to a name for this machine',
    url: 'http://other.example:PORT/',
    mayBeLoopback: true,
    others: { 'other.example': () => [inside] },
  },
  { what: 'In the sandbox: https to this machine', url: `https://${inside}:PORT/`, mayBeLoopback: true },
  {
    what: 'A name without a certificate of its own',
    url: 'https://third.example:PORT/',
    others: { 'third.example': () => [outside] },
  },
]

const answers: ReadonlyArray<Trick> = [
  ...[301, 302, 303, 307, 308].map(pointing),
  answering('An answer without end', endless),
  answering('A compressed answer that is a thousand times as large', (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000)))
  }),
  answering('Headers of a megabyte', (_, response) => {
    response.socket?.write(`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(1_000_000)}\r\n\r\n`)
  }),
  answering(
    'Provisional answers without end',
    (_, { socket }) => {
      const timer = setInterval(() => socket?.write('HTTP/1.1 103 Early Hints\r\nx-a: b\r\n\r\n'), 5)
      socket?.on('close', () => clearInterval(timer)).on('error', () => clearInterval(timer))
    },
    slowMs,
  ),
  answering(
    'Headers byte by byte',
    dripping((socket) => void socket.write('HTTP/1.1 200 OK\r\nx-slow: ')),
    slowMs,
  ),
  answering(
    'An answer byte by byte, after a status of 200',
    dripping((socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')),
    slowMs,
  ),
  answering('No answer', () => undefined, slowMs),
  answering('An answer that is no HTTP', (_, { socket }) => void socket?.end('SSH-2.0-OpenSSH_9.9\r\n')),
  answering('The connection is closed', (_, { socket }) => void socket?.destroy()),
]

export const tricks: ReadonlyArray<Trick> = [...addresses, ...names, ...answers]
