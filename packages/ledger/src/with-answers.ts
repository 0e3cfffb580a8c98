/**
 * Does pure work that asks questions which have to be awaited, such as which accounts are watched. A question that was not
 * answered yet is answered with `meanwhile`; then all such questions are asked at once, and the work is done again, until
 * none is left. `answerTo` must not be called with a new question afterwards, and throws then.
 */
export const withAnswers = async <Question, Answer, Result>(
  ask: (question: Question) => Answer | Promise<Answer>,
  meanwhile: Answer,
  work: (answerTo: (question: Question) => Answer) => Result,
): Promise<Result> => {
  const known = new Map<Question, { readonly answer: Answer }>()
  for (;;) {
    const open = new Set<Question>()
    let isDone = false
    const result = work((question) => {
      const found = known.get(question)
      if (found !== undefined) return found.answer
      if (isDone) throw new Error(`nobody has asked about ${String(question)}`)
      open.add(question)
      return meanwhile
    })
    isDone = open.size === 0
    if (isDone) return result
    const answered = [...open].map(async (question) => [question, { answer: await ask(question) }] as const)
    for (const [question, answer] of await Promise.all(answered)) known.set(question, answer)
  }
}
