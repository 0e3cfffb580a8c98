import { useState } from 'preact/hooks'
import { words } from '../messages/index.ts'
import { api } from '../service/client.ts'
import { useLoaded } from '../service/loaded.ts'
import { moved } from '../service/moved.ts'
import { ActionButton } from './action.tsx'
import { Time } from './small.tsx'

const daySeconds = 86_400

/** The time by which the sandbox lives, and buttons that move it on: so renewals can be watched. */
export const SandboxClock = () => {
  const [isMoving, setMoving] = useState(false)
  const { state, reload } = useLoaded(() => api.sandbox.clock(), String(moved.value))
  const { sandbox } = words.value
  const move = async (seconds: number) => {
    setMoving(true)
    try {
      await api.sandbox.advance({ seconds })
      moved.value += 1
      reload()
    } finally {
      setMoving(false)
    }
  }
  if (state._tag !== 'Ready') return null
  return (
    <aside class="sandbox-clock" aria-label={sandbox.title}>
      <span>
        <strong>{sandbox.title}</strong> {sandbox.now} <Time at={state.value.now} />
      </span>
      <span class="row" aria-busy={isMoving}>
        <ActionButton does={() => move(daySeconds)}>{sandbox.day}</ActionButton>
        <ActionButton does={() => move(31 * daySeconds)} testId="advance-month">
          {sandbox.month}
        </ActionButton>
      </span>
    </aside>
  )
}
