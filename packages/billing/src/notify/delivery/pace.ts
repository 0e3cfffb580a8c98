/** How many attempts may be under way. */
export type Pace = {
  /** Whether nothing more may begin. */
  readonly isFull: () => boolean
  /** How many more attempts may begin at an endpoint: one that answers promptly gets more of them. */
  readonly room: (webhookId: string) => number
  /** Whether an endpoint has to wait for others that are as slow. */
  readonly waits: (webhookId: string) => boolean
  readonly began: (webhookId: string) => void
  readonly ended: (webhookId: string, isPrompt: boolean) => void
  /** What began was not to begin. */
  readonly undone: (webhookId: string) => void
}

type Lane = { room: number; underWay: number; isSlow: boolean }

/** Of all endpoints together; and of those that are slow, so that they never hold up the others. */
export type Limits = { readonly all: number; readonly slow: number }
export const usualLimits: Limits = { all: 512, slow: 256 }

const mostAtOne = 16

/**
 * Each endpoint begins with one attempt at a time and gets twice as many after each that it takes promptly, up to 16.
 * One that fails or dawdles is back at one, and shares a part of all that is under way with those like it.
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
      // All that is under way there changes lanes with it.
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
