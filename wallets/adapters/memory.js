/** What is kept for as long as the page is open. */
export const keptInMemory = () => {
  const kept = new Map()
  return {
    getKeys: async () => [...kept.keys()],
    getEntries: async () => [...kept.entries()],
    getItem: async (key) => kept.get(key),
    setItem: async (key, value) => void kept.set(key, value),
    removeItem: async (key) => void kept.delete(key),
  }
}
