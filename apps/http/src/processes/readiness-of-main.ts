import type { AppOptions } from '../app.ts'
import type { MainProcess } from './messages.ts'

const withinMs = 5_000

/** Whether the main process is ready. It alone knows how its other work fares, and when the service stops. */
export const readinessOfMain =
  ({ metricsUrl }: Pick<MainProcess, 'metricsUrl'>): AppOptions['readiness'] =>
  async () => {
    const isReady = await fetch(new URL('/ready', metricsUrl), { signal: AbortSignal.timeout(withinMs) }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.ok
      },
      () => false,
    )
    return { status: isReady ? 'ready' : 'not_ready' }
  }
