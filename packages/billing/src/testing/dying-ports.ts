import { ProcessDied } from './failing-stores.ts'

/** A process that dies right after the n-th call of any of its wrapped ports: the effect is durable, the reply is lost. */
export const dyingAfterCalls = (calls: number) => {
  let left = calls
  const replied = <A>(answer: A): A => {
    left -= 1
    if (left <= 0) throw new ProcessDied()
    return answer
  }
  return <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name)
        if (typeof member !== 'function') return member
        return (...request: ReadonlyArray<unknown>) => {
          if (left <= 0) throw new ProcessDied()
          const answer: unknown = member(...request)
          if (answer instanceof Promise) return answer.then(replied)
          return typeof answer === 'function' ? async () => replied(await answer()) : replied(answer)
        }
      },
    })
}
