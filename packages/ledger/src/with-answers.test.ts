import { withAnswers } from './with-answers.ts'

describe('work with questions', () => {
  it('is done with all answers, and asks each question once', async () => {
    const asked: Array<number> = []
    const isEven = async (number: number) => {
      asked.push(number)
      return number % 2 === 0
    }
    // 5 is asked about only once it is known that 4 is even.
    const work = (holds: (number: number) => boolean) => [1, 2, 2, 4, holds(4) ? 5 : 1].filter(holds)
    expect(await withAnswers(isEven, false, work)).toEqual([2, 2, 4])
    expect(asked.toSorted()).toEqual([1, 2, 4, 5])
  })

  it('cannot ask anything new when it is done', async () => {
    const holds = await withAnswers(
      async () => true,
      false,
      (answerTo: (number: number) => boolean) => {
        answerTo(1)
        return answerTo
      },
    )
    expect(holds(1)).toBe(true)
    expect(() => holds(2)).toThrow('nobody has asked about 2')
  })
})
