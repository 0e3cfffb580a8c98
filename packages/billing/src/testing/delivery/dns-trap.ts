import { createSocket } from 'node:dgram'
import ipaddr from 'ipaddr.js'

/** The addresses that a name has when it is asked for the n-th time (from 1); null: no answer ever. */
export type Zone = Readonly<Record<string, (time: number) => ReadonlyArray<string> | null>>

const typeOf = { ipv4: 1, ipv6: 28 }
const records = { noError: 0x8580, noName: 0x8583 }

/** A DNS server on this machine that says what a test wants, as who owns a name may. */
export const startDns = async (zone: Zone) => {
  const asked = new Map<string, number>()
  const socket = createSocket('udp4')
  socket.on('message', (query, { port }) => {
    const { name, type, end } = questionIn(query)
    const time = (asked.get(`${name} ${type}`) ?? 0) + 1
    asked.set(`${name} ${type}`, time)
    const has = zone[name]
    const addresses = has === undefined ? [] : has(time)
    if (addresses === null) return
    const answers = addresses.map((text) => ipaddr.parse(text)).filter((each) => typeOf[each.kind()] === type)
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(has === undefined ? records.noName : records.noError, 2)
    header.writeUInt16BE(answers.length, 6)
    header.writeUInt32BE(0, 8)
    const packet = [header, query.subarray(12, end), ...answers.map((each) => answer(type, each.toByteArray()))]
    socket.send(Buffer.concat(packet), port, '127.0.0.1')
  })
  await new Promise<void>((listening) => socket.bind(0, '127.0.0.1', listening))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise<void>((closed) => socket.close(() => closed())),
  }
}

/** The name stands in its labels behind a header of 12 bytes, then its type and class. */
const questionIn = (query: Buffer) => {
  const labels: Array<string> = []
  let at = 12
  while (query.readUInt8(at) > 0) {
    const length = query.readUInt8(at)
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

/** Of the question's name, for no longer than now. */
const answer = (type: number, address: ReadonlyArray<number>): Buffer => {
  const record = Buffer.alloc(12)
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(type, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt16BE(address.length, 10)
  return Buffer.concat([record, Buffer.from(address)])
}
