import * as domain from './index.ts'

describe('the categories of streams', () => {
  it('are those of all aggregates, each once', () => {
    const categories = Object.values(domain).flatMap((exported) =>
      typeof exported === 'object' && 'category' in exported ? [exported.category] : [],
    )
    expect([...domain.streamCategories].sort()).toEqual(categories.sort())
    expect(new Set(domain.streamCategories).size).toBe(categories.length)
  })
})
