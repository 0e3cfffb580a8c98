/** Bounds how many attempts are open at once. */
export type Pace = {
  /** Whether no more attempts may begin. */
  readonly isFull: () => boolean
  /** How many more attempts may begin at an endpoint. Prompt answers raise it. */
  readonly room: (webhookId: string) => number
  /** Whether a slow endpoint has to wait for other slow ones. */
  readonly waits: (webhookId: string) => boolean
  readonly began: (webhookId: string) => void
  readonly ended: (webhookId: string, isPrompt: boolean) => void
  /** Takes back an attempt that was counted as begun. */
  readonly undone: (webhookId: string) => void
}

type Lane = { room: number; underWay: number; isSlow: boolean }

/** The most open attempts: of all endpoints, and of slow endpoints, so that they never hold up the others. */
export type Limits = { readonly all: number; readonly slow: number }
export const usualLimits: Limits = { all: 512, slow: 256 }

const mostAtOne = 16

/**
 * An endpoint begins with one attempt at a time. Each prompt answer doubles that, up to 16. A failure or a slow answer
 * resets it to one, and puts the endpoint among the slow ones, which share a limit.
 */
export const createPace = ({ all, slow }: Limits): Pace => {
  const lanes = new Map<string, Lane>()
  let [underWay, slowUnderWay] = [0, 0]
  const laneOf = (webhookId: string): Lane => lanes.get(webhookId) ?? { room: 1, underWay: 0, isSlow: false }
  return {
    isFull: () => underWay >= all,
    room: (webhookId) => {
      const lane = laneOf(webhookId)
      return Math.max(0, Math.min(lane.room - lane.underWay, all - underWay))
    },
    waits: (webhookId) => laneOf(webhookId).isSlow && slowUnderWay >= slow,
    began: (webhookId) => {
      const lane = laneOf(webhookId)
      lane.underWay += 1
      underWay += 1
      if (lane.isSlow) slowUnderWay += 1
      lanes.set(webhookId, lane)
    },
    ended: (webhookId, isPrompt) => {
      const lane = laneOf(webhookId)
      const wasSlow = lane.isSlow
      lane.underWay -= 1
      underWay -= 1
      lane.room = isPrompt ? Math.min(mostAtOne, lane.room * 2) : 1
      lane.isSlow = !isPrompt
      // Its open attempts change lanes with it.
      slowUnderWay += (lane.isSlow ? lane.underWay : 0) - (wasSlow ? lane.underWay + 1 : 0)
    },
    undone: (webhookId) => {
      const lane = laneOf(webhookId)
      lane.underWay -= 1
      underWay -= 1
      if (lane.isSlow) slowUnderWay -= 1
    },
  }
}
