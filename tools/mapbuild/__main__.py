from tools.mapbuild.build import main

raise SystemExit(main())
