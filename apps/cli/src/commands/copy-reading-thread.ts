import { EventEmitter, once } from 'node:events'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import type { FromReader, ToReader } from './copy-read-aside.ts'
import { type CopyEnd, type Growth, readCopyBack } from './copy-read-back.ts'

/** Hears what the copying thread says of the copy. */
const growthFrom = (port: MessagePort): Growth & { readonly began: Promise<unknown> } => {
  let [complete, isGrown]: [CopyEnd | null, boolean] = [null, false]
  const heard = new EventEmitter()
  port.on('message', (message: ToReader) => {
    if (message._tag === 'Complete') complete = message.end
    isGrown = true
    heard.emit('message')
  })
  return {
    began: once(heard, 'message'),
    grown: (async function* () {
      while (complete === null) {
        if (!isGrown) await once(heard, 'message')
        isGrown = false
        yield
      }
    })(),
    end: () => {
      if (complete === null) throw new Error('the copy is not complete')
      return complete
    },
  }
}

// The entry point of `readAside`'s thread: its input is a `CopyToRead`, its last message what it has found.
if (parentPort !== null) {
  const port = parentPort
  const tell = (message: FromReader): void => port.postMessage(message)
  const growth = growthFrom(port)
  // There is nothing to open before.
  await growth.began
  const found = await readCopyBack(workerData, growth, (events) => tell({ _tag: 'Verified', events }))
  tell({ _tag: 'Found', found })
  port.close()
}
