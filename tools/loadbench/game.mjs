// As much state as the demonstration game has: fifteen units, seven provinces, hands, a deck.
export const game = {
  name: 'peer',
  setup: () => ({
    turn: 1,
    space: Array(15).fill(0),
    step: Array(15).fill(2),
    owner: Array(7).fill(-1),
    gold: [1, 1, 1],
    hands: [['ambush'], ['levy'], ['spy']],
    deck: Array(9).fill('levy'),
    posture: ['march', 'march', 'march'],
  }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    step: ({ G }) => {
      G.turn += 1;
      G.space[G.turn % 15] = G.turn % 7;
    },
  },
};
