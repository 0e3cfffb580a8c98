import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Capabilities } from '../../conformance/adapter.ts'
import { eventually } from '../../testing/peer/eventually.ts'
import type { Peer } from '../../testing/peer/peer.ts'

const script = fileURLToPath(new URL('./appending-process.ts', import.meta.url))

/** Appends in a process that is killed once its append has arrived: before the peer writes it, or before it answers. */
export const killedAppend =
  (peer: Peer, nameOf: (stream: string) => string): Capabilities['killedAppend'] =>
  async (moment, stream, id) => {
    const before = peer.appendsSeen()
    peer.misbehave({ _tag: moment === 'before commit' ? 'silent' : 'holdsReplies' })
    const child = spawn(process.execPath, ['--no-warnings', script, peer.connectionString, nameOf(stream), id])
    const exit = once(child, 'exit')
    await eventually(() => peer.appendsSeen() > before)
    child.kill('SIGKILL')
    expect(await exit).toEqual([null, 'SIGKILL'])
    peer.misbehave({ _tag: 'none' })
  }
