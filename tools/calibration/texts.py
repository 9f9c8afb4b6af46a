"""Sentences for the synthetic voices. Written for this tool; everyday English of 7 to 13 words, in no special order."""

SENTENCES = """
The ferry leaves the northern pier at a quarter past nine.
Nobody remembered where the spare keys had been put.
Fresh bread and warm soup were waiting on the kitchen table.
She measured the width of the window twice before cutting.
A thin layer of ice covered the pond this morning.
Please forward my calls to the office on the second floor.
The gardener planted seven rows of beans behind the shed.
His train was delayed because of snow on the tracks.
We could hear the children laughing across the valley.
The judge asked everyone to rise and then to be seated.
Yellow lanterns hung above the narrow street all summer.
It takes about an hour to walk around the lake.
The pilot checked both engines and spoke to the tower.
Many small shops have closed since the bridge was built.
Could you read the last four digits to me again?
An old map showed a river that no longer exists.
The violin sounds better in a room with wooden walls.
They argued for weeks about the colour of the door.
Thick fog rolled in from the sea and hid the harbour.
The baker begins his work while the town is asleep.
Keep the receipt in case the lamp has to go back.
Several letters arrived without a stamp or an address.
My brother repairs clocks and very old radio sets.
The committee will vote on the budget next Thursday.
Heavy boxes should be stored on the lowest shelf.
A quiet engine is worth more than a fast one.
The doctor listened to his chest and smiled at him.
Turn left after the church and follow the stone wall.
Good coffee depends on clean water and a little patience.
He folded the newspaper and looked out at the rain.
Our neighbours keep geese, two goats and a grey donkey.
The lecture was short, clear and surprisingly funny.
Birds gather on the telephone wires before they fly south.
The museum is closed on Mondays from October to March.
Someone left an umbrella and a blue scarf on the bus.
The mountain road was steep but the view was splendid.
You may pay by card, by cheque or with cash.
Young foxes were playing at the edge of the forest.
The test was repeated five times in each direction.
Whoever calls first will get the last two tickets.
""".strip().splitlines()
